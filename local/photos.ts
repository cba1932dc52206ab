/** Adds the photographs of a folder when the local service starts. */

import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { openPhotos } from '../cli/library/open-photos';
import { type RefusedFile, readFolder } from '../cli/library/read-folder';
import type { ImageLibrary } from '../lambda/images/image-library';

/** Says on stderr which files are refused. @throws `Failure` where there is no such folder */
export async function addFolder(
  folder: string,
  client: DynamoDBDocumentClient,
  stockMemory: string,
  library: ImageLibrary,
): Promise<void> {
  const refused: RefusedFile[] = [];
  const { photos } = openPhotos(client, stockMemory, library);
  await photos.add(readFolder(folder, refused));
  for (const { file, reason } of refused) process.stderr.write(`${file} is not shown: ${reason}\n`);
}
