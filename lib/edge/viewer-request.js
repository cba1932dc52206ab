// The CloudFront Function before the cache. It brings parameters and headers of the cache key into one form.
// `edge.ts` puts PARAMETERS and OTHER_NAMES in front. The runtime (cloudfront-js-2.0) knows ECMAScript 5.1
// with const, let, arrow functions and templates, but no destructuring.
// biome-ignore lint/correctness/noUnusedVariables: CloudFront calls it.
function handler(event) {
  const request = event.request;
  const headers = request.headers;
  const query = request.querystring;
  const droppedNames = [];
  const parameters = {};
  for (const sentName in query) {
    const unescapedName = sentName.replace(/^(amp;)+/, '');
    const name = OTHER_NAMES[unescapedName] || unescapedName;
    if (PARAMETERS.indexOf(name) < 0) droppedNames.push(sentName.slice(0, 100));
    // Both values of a repeated parameter are kept, because the API refuses it.
    else parameters[name] = (parameters[name] || []).concat(query[sentName].multiValue || [query[sentName]]);
  }
  request.querystring = {};
  Object.keys(parameters)
    .sort()
    .forEach((name) => {
      request.querystring[name] = { value: parameters[name][0].value, multiValue: parameters[name] };
    });
  const setHeader = (name, value) => {
    if (value) headers[name] = { value: value };
    else delete headers[name];
  };
  const readHeader = (name) => (headers[name] ? headers[name].value : '');
  setHeader('x-dropped-parameters', droppedNames.slice(0, 10).join(','));
  setHeader('x-viewer-ip', event.viewer.ip);
  // The page's origin is in the cache key, because a site key is valid on its owner's pages only.
  const page = readHeader('origin') || (/^https?:\/\/[^/?#]+/i.exec(readHeader('referer')) || [''])[0];
  setHeader('x-page', parameters.site ? page : '');
  const accept = readHeader('accept');
  // The formats that the service makes, the preferred one first. The API weighs every other header itself: one
  // that names JSON, that refuses something, or that has weights beside those of wildcards.
  const format = ['image/webp', 'image/avif'].filter((type) => accept.indexOf(type) >= 0)[0];
  if (format && !/json|[^*\s]\s*;\s*q=|q=0(\.0*)?\s*(,|$)/i.test(accept))
    setHeader('accept', `${format},image/*;q=0.8,*/*;q=0.5`);
  return request;
}
