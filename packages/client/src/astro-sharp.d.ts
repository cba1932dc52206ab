/** The module of Astro that the entry for Astro hands other images to; Astro itself is no dependency. */

declare module 'astro/assets/services/sharp' {
  const service: import('./astro').AstroImageService;
  export default service;
}
