/** The script that reloads the AI images of a page once they are made. Until then the page shows cards. */

/**
 * Asks for each AI image again after the seconds in `Retry-After`, unless they are many: `generation_paused` lasts
 * until midnight. The fragment makes a browser load a card anew; a loaded image comes from its cache.
 */
export const reloadScript = `const reload = (img, url) =>
  fetch(url, { method: 'HEAD', cache: 'no-store', redirect: 'manual' }).then(({ headers }) => {
    const waitS = headers.get('Retry-After');
    if (!waitS) img.src = \`\${url}#ready\`;
    else if (waitS <= 60) setTimeout(reload, waitS * 1000, img, url);
  });
for (const img of document.images) if (/\\/api\\/image.*(=ai\\b|pick=|\\/id\\/)/.test(img.src)) reload(img, img.src);`;
