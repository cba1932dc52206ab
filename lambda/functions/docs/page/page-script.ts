/** Browser script: live examples and the playground. The key stays in its field and goes out in a header alone. */

export const pageScript = String.raw`
(function () {
  'use strict';
  var prefix = document.documentElement.dataset.prefix;
  var root = location.origin + prefix;
  var $ = function (id) { return document.getElementById(id); };
  var shownHeaders = ['X-Cache', 'X-Image-Source', 'X-Image-Id', 'X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset', 'Retry-After', 'X-Response-Time', 'Cache-Control'];

  function isWeb(address) { return /^https?:\/\//.test(address || ''); }
  function credit(box, attribution) {
    box.textContent = '';
    if (!isWeb(attribution.landingUrl)) return box.append(attribution.creditLine);
    var link = document.createElement('a');
    link.href = attribution.landingUrl;
    link.rel = 'noopener noreferrer';
    link.textContent = attribution.creditLine;
    box.append(link);
  }
  function ask(address, key) {
    var headers = { Accept: 'application/json, image/webp' };
    if (key) headers['X-API-Key'] = key;
    return fetch(withParameter(address, 'format=json'), { headers: headers, referrerPolicy: 'no-referrer' });
  }

  var observer = new IntersectionObserver(function (entries) {
    entries.forEach(function (entry) {
      if (!entry.isIntersecting) return;
      observer.unobserve(entry.target);
      var caption = entry.target.parentNode.querySelector('figcaption');
      ask(prefix + entry.target.dataset.live).then(function (answer) {
        return answer.json().then(function (record) {
          // The URL itself draws a card that says what is wrong, and costs nothing when it is refused.
          entry.target.src = answer.ok ? record.url : prefix + entry.target.dataset.live;
          if (answer.ok) credit(caption, record.attribution);
          else caption.textContent = record.detail;
        });
      }).catch(function () { caption.textContent = 'No image just now: the service could not be reached.'; });
    });
  }, { rootMargin: '120px' });
  document.querySelectorAll('img[data-live]').forEach(function (image) { observer.observe(image); });

  var form = $('try');
  var field = function (name) { return form.elements[name]; };
  function values() {
    var isAi = field('provider').value === 'ai';
    var given = { query: field('query').value, width: field('width').value, height: field('height').value };
    var names = isAi ? ['style', 'variation', 'alt', 'visibility'] : ['seed'];
    if (field('provider').value !== 'stock_a') given.provider = field('provider').value;
    names.forEach(function (name) {
      var input = field(name);
      if (input.value && input.value !== input.dataset.default) given[name] = input.value;
    });
    return given;
  }
  function refresh() {
    var isAi = field('provider').value === 'ai';
    $('ai').disabled = !isAi;
    $('stock').disabled = isAi;
    var both = field('variation').value && field('alt').value;
    field('alt').setCustomValidity(isAi && both ? 'Give a variation or an alternative, not both.' : '');
    var given = values();
    if (!given.query.trim()) return;
    var address = addressOf(root, given);
    var snippets = snippetsOf(address, given, isAi || field('key').value !== '');
    $('address').textContent = address;
    Object.keys(snippets).forEach(function (name) { $('snippet-' + name).textContent = snippets[name]; });
    $('key-note').hidden = !(isAi || field('key').value);
  }
  form.addEventListener('input', function (event) {
    if (event.target.name === 'size') {
      var sides = event.target.value.split('x');
      if (sides.length === 2) { field('width').value = sides[0]; field('height').value = sides[1]; }
    }
    if (event.target.name === 'width' || event.target.name === 'height') {
      var size = field('width').value + 'x' + field('height').value;
      field('size').value = size;
      if (field('size').value !== size) field('size').value = '';
    }
    refresh();
  });

  function say(text, isBad) {
    $('state').textContent = text;
    $('state').className = isBad ? 'bad' : '';
  }
  function list(rows) {
    var box = $('facts');
    box.textContent = '';
    rows.forEach(function (row) {
      if (row[1] === null || row[1] === undefined || row[1] === '') return;
      var name = document.createElement('dt');
      var value = document.createElement('dd');
      name.textContent = row[0];
      value.append(row[1]);
      box.append(name, value);
    });
  }
  function link(address, text) {
    var anchor = document.createElement('a');
    anchor.href = address;
    anchor.textContent = text;
    return anchor;
  }

  form.addEventListener('submit', function (event) {
    event.preventDefault();
    var button = $('go');
    var given = values();
    var canvas = $('canvas');
    button.disabled = true;
    say('Looking for an image…', false);
    ask(addressOf(prefix, given), field('key').value).then(function (answer) {
      return answer.json().then(function (record) {
        var headers = shownHeaders.map(function (name) { return [name, answer.headers.get(name)]; });
        canvas.textContent = '';
        $('credit').textContent = '';
        if (!answer.ok) {
          say(answer.status + ' · ' + record.title, true);
          var words = document.createElement('p');
          words.textContent = record.detail;
          canvas.append(words);
          list([['Status', String(answer.status)], ['Code', link('#' + record.code, record.code)], ['Request', record.requestId]].concat(headers));
          return;
        }
        var image = new Image(record.width, record.height);
        image.alt = given.query;
        image.src = record.url;
        canvas.append(image);
        say('Found: ' + record.width + ' × ' + record.height + ' pixels from ' + record.source + '.', false);
        credit($('credit'), record.attribution);
        list([['Status', '302 (200 with format=json)'], ['Location', isWeb(record.url) ? link(record.url, record.url) : record.url]].concat(headers));
      });
    }).catch(function () {
      say('The service could not be reached. Is the network there?', true);
    }).then(function () {
      button.disabled = false;
      // On a phone the answer is below the form.
      canvas.scrollIntoView({ block: 'nearest' });
    });
  });

  document.querySelectorAll('button[data-copy]').forEach(function (button) {
    button.addEventListener('click', function () {
      var source = $(button.dataset.copy);
      var done = function () {
        var label = button.textContent;
        button.textContent = 'Copied';
        $('said').textContent = 'Copied to the clipboard.';
        setTimeout(function () { button.textContent = label; $('said').textContent = ''; }, 1500);
      };
      var select = function () { getSelection().selectAllChildren(source); };
      if (navigator.clipboard) navigator.clipboard.writeText(source.textContent).then(done, select);
      else select();
    });
  });
  form.hidden = false;
  refresh();
})();
`.trim();
