/** The image service of Astro, as `image.service.entrypoint`. */

import sharp from 'astro/assets/services/sharp';
import { type AstroImageService, createImageService } from './astro-service';

/** Sources that begin with `image-redirect:` are ours; Astro's own service answers for all other images of the site. */
const service: AstroImageService = createImageService(sharp);
export default service;
