/** Puts together what the commands for images work with. */

import { type Database, untimed } from '../../lambda/aws/dynamodb';
import { systemIds as ids } from '../../lambda/base/system';
import type { ImageLibrary } from '../../lambda/images/image-library';
import type { PhotoServices } from '../../lambda/stock/library/manage-photos';

/** @param images name of the table */
export function photoServices(database: Database, images: string, bucket: ImageLibrary): PhotoServices {
  return { ...untimed(database), tables: { images }, bucket, ids };
}
