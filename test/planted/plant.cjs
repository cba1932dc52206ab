// The transformer of jest.planted.config.cjs: the project's own, over sources of which one has a bug planted in it.
const { createTransformer } = require('@swc/jest');

const { file, find, replace } = JSON.parse(process.env.PLANTED_BUG);

module.exports = {
  createTransformer(options) {
    const transformer = createTransformer(options);
    const planted = (source, path) =>
      path.replaceAll('\\', '/').endsWith(`/${file}`) ? source.replace(find, () => replace) : source;
    return {
      ...transformer,
      process: (source, path, given) => transformer.process(planted(source, path), path, given),
      getCacheKey: (source, path, given) => transformer.getCacheKey(planted(source, path), path, given),
    };
  },
};
