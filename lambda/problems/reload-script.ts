/** How a page reloads an image that is still being made: its card is an image too, so that no error event tells of it. */

/** Three lines for a page. A fragment makes the browser load the same URL anew, and is never sent. */
export const reloadScript = `const reload = (img, url) => fetch(url, { method: 'HEAD' }).then(({ status }) =>
  status === 503 ? setTimeout(reload, 5000, img, url) : (img.src = \`\${url}#ready\`));
for (const img of document.querySelectorAll('img[src*="provider=ai"]')) reload(img, img.src);`;
