/** The script that reloads an AI image on a page until it is made; until then its card is shown, no error. */

/** Its fragment makes a browser load the URL anew, and is not sent to the service. */
export const reloadScript = `const reload = (img, url) => fetch(url, { method: 'HEAD' }).then(({ status }) =>
  status === 503 ? setTimeout(reload, 5000, img, url) : (img.src = \`\${url}#ready\`));
for (const img of document.images) if (/\\/api\\/image.*(=ai\\b|pick=|\\/id\\/)/.test(img.src)) reload(img, img.src);`;
