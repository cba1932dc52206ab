/** Browser script: makes the URL and the snippets of a request. Plain functions of their arguments, tested as such. */

/**
 * `addressOf(root, values)` gives the shortest URL for a request, `snippetsOf(URL, values, needsKey)` what
 * people paste. Neither ever sees a key: where one is needed, a placeholder stands for it.
 */
export const urlScript = String.raw`
function addressOf(root, values) {
  var query = values.query.trim().replace(/\s+/g, ' ');
  var isPlain = /^[\p{L}\p{N}]+( [\p{L}\p{N}]+)*$/u.test(query);
  var rest = [];
  var put = function (name, value) {
    if (value) rest.push(name + '=' + encodeURIComponent(value).replace(/'/g, '%27').replace(/%20/g, '+'));
  };
  if (!isPlain) {
    put('query', query);
    put('width', values.width);
    put('height', values.height);
  }
  ['provider', 'style', 'variation', 'alt', 'visibility', 'seed'].forEach(function (name) {
    put(name, values[name]);
  });
  var path = '/api/image';
  if (isPlain) path += '/' + values.width + 'x' + values.height + '-' + query.split(' ').map(encodeURIComponent).join('-');
  return root + path + (rest.length ? '?' + rest.join('&') : '');
}
function withParameter(address, pair) {
  return address + (address.indexOf('?') < 0 ? '?' : '&') + pair;
}
function escaped(text) {
  return text.replace(/[&<>"]/g, function (character) {
    return { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }[character];
  });
}
function snippetsOf(address, values, needsKey) {
  var alt = values.query.trim();
  var shown = needsKey ? withParameter(address, 'api_key=YOUR_API_KEY') : address;
  var inMarkdown = shown.replace(/\(/g, '%28').replace(/\)/g, '%29').replace(/\*/g, '%2A');
  // curl would send the key on to wherever the redirect leads, so it asks for the URL first.
  var curl = needsKey
    ? 'curl -o image.jpg "$(curl -sS -o /dev/null -w \'%{redirect_url}\' -H \'X-API-Key: YOUR_API_KEY\' \'' + address + '\')"'
    : "curl -L -o image.jpg '" + address + "'";
  var options = needsKey ? ", {\n  headers: { 'X-API-Key': 'YOUR_API_KEY' },\n}" : '';
  return {
    html: '<img src="' + escaped(shown) + '" width="' + values.width + '" height="' + values.height + '" alt="' + escaped(alt) + '" loading="lazy">',
    markdown: '![' + alt.replace(/[\\\[\]<>]/g, '\\$&') + '](' + inMarkdown + ')',
    curl: curl,
    fetch: "const answer = await fetch('" + withParameter(address, 'format=json') + "'" + options + ');\nconst { url, attribution } = await answer.json();',
  };
}
`.trim();
