/** The HTML template escapes every value that is not HTML. */

import { html, prose, raw } from '../../lambda/docs/page/html';

describe('the HTML template', () => {
  it('escapes every sign that means something in HTML', () => {
    expect(html`<p title="${`"'`}">${'<b>&</b>'}</p>`.html).toBe(
      '<p title="&#34;&#39;">&#60;b&#62;&#38;&#60;/b&#62;</p>',
    );
  });

  it('puts in HTML, lists of it, numbers and nothing as they are', () => {
    expect(html`${[html`<i>${1}</i>`, html`<i>${2}</i>`]}${undefined}${raw('<hr>')}`.html).toBe(
      '<i>1</i><i>2</i><hr>',
    );
  });

  it('drops its own indentation and leaves that of its values alone', () => {
    expect(
      html`<pre>
        ${raw('a\n  b')}</pre>`.html,
    ).toBe('<pre>\na\n  b</pre>');
  });

  it('marks up code in prose, escaped', () => {
    expect(prose('Send `a<b` now.').html).toBe('Send <code>a&#60;b</code> now.');
  });
});
