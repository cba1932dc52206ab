/** Opens the images of a service: its tables, files and distributions. */

import { systemClock as clock } from '../../lambda/base/system';
import type { Session } from '../keys/session';
import type { TakeDownServices } from './take-down';

/** @throws `Failure` where the service does not tell its tables or its files */
export async function openImages({ service }: Session): Promise<TakeDownServices> {
  const { database, tables, openLibrary, lacks, invalidate } = service;
  const { images, generationIndex } = tables;
  if (!images || !generationIndex) throw lacks('tables of images');
  const { photoServices } = await import('../library/open-photos');
  const services = photoServices(database, images, openLibrary());
  return { ...services, tables: { ...services.tables, generationIndex }, invalidate, clock };
}
