/** The script that reloads the AI images of a page once they are made. Until then the page shows cards. */

/**
 * Asks for each AI image again after the seconds in `Retry-After`. It gives up if they are many, because
 * `generation_paused` lasts until midnight. A URL with a `pick` is left alone, because its image was made before.
 * The fragment makes a browser load a card anew. An image that was loaded comes from its cache.
 */
export const reloadScript = `const reload = (img, url) =>
  fetch(url, { method: 'HEAD', cache: 'no-store', redirect: 'manual' }).then(({ headers }) => {
    const waitS = headers.get('Retry-After');
    if (!waitS) img.src = \`\${url}#ready\`;
    else if (waitS <= 60) setTimeout(reload, waitS * 1000, img, url);
  });
for (const img of document.images)
  if (/\\/api\\/image(?!.*pick=).*\\b(provider|onmiss)=ai\\b/.test(img.src)) reload(img, img.src);`;
