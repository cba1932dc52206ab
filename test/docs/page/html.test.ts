/** Tests the HTML template, which escapes every value that is not HTML. */

import { html, markUpCode, trustHtml } from '../../../lambda/docs/page/html';

test('the HTML template escapes every character of markup', () => {
  expect(html`<p title="${`"'`}">${'<b>&</b>'}</p>`.html).toBe(
    '<p title="&#34;&#39;">&#60;b&#62;&#38;&#60;/b&#62;</p>',
  );
});

test('the HTML template inserts HTML, lists of HTML and numbers unchanged', () => {
  expect(html`${[html`<i>${1}</i>`, html`<i>${2}</i>`]}${undefined}${trustHtml('<hr>')}`.html).toBe(
    '<i>1</i><i>2</i><hr>',
  );
});

test('the HTML template drops its own indentation and keeps that of its values', () => {
  expect(
    html`<pre>
        ${trustHtml('a\n  b')}</pre>`.html,
  ).toBe('<pre>\na\n  b</pre>');
});

test('code in backticks becomes an escaped <code> element', () => {
  expect(markUpCode('Send `a<b` now.').html).toBe('Send <code>a&#60;b</code> now.');
});
