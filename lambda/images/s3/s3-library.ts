/** The image library in an S3 bucket; CloudFront reads the same keys. */

import {
  CopyObjectCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  HeadObjectCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  type S3Client,
} from '@aws-sdk/client-s3';
import { retry } from '../../base/retry';
import { systemClock } from '../../base/system';
import { renditionDays, renditionPrefixes } from '../../contract/image-paths';
import { imageLibraryTimeoutsMs } from '../../contract/timeouts';
import type { ImageLibrary } from '../image-library';
import {
  checkLibraryPath,
  checkLibraryPrefix,
  isLibraryPath,
  isPrivatePath,
  mediaTypeOfPath,
} from '../library-path';

/**
 * For so many days after it was found, a rendition may be requested without another check: a day in which it is known,
 * and eight in which shared caches keep a redirect to it.
 */
const reliedOnDays = 10;

/** How often a write is sent when S3 answers that another write of the same key is under way. */
const conflictAttempts = 3;

/** An image never changes under its path, so any client may keep it for a year. */
const publicCaching = 'public, max-age=31536000, immutable';

/** Only the viewer's own browser keeps a private image; CloudFront asks for a signature whatever it holds. */
const privateCaching = 'private, max-age=31536000, immutable';

/**
 * @param client fixed number of attempts; this adapter adds the deadlines
 * @param bucket reading one that may not be listed reports a missing image as a fault, so grant `s3:ListBucket` too
 */
export function createS3Library(
  client: S3Client,
  bucket: string,
  nowMs: () => number = () => Date.now(),
): ImageLibrary {
  /** Writes an object over itself, so that the bucket counts its days from now. */
  const renew = (Key: string, abortSignal: AbortSignal) => {
    const command = new CopyObjectCommand({
      Bucket: bucket,
      Key,
      CopySource: `${bucket}/${Key}`,
      MetadataDirective: 'REPLACE',
      ContentType: mediaTypeOfPath(Key),
      CacheControl: cachingOf(Key),
    });
    return client.send(command, { abortSignal });
  };
  return {
    async put(path, { bytes, mediaType }) {
      checkLibraryPath(path, mediaType);
      const abortSignal = AbortSignal.timeout(imageLibraryTimeoutsMs.put);
      const store = () =>
        client.send(
          new PutObjectCommand({
            Bucket: bucket,
            Key: path,
            Body: bytes,
            ContentType: mediaType,
            CacheControl: cachingOf(path),
            IfNoneMatch: '*',
          }),
          { abortSignal },
        );
      // The other write ends by itself, so there is nothing to wait for.
      const pauseMsAfter = (error: unknown) => (statusOf(error) === 409 ? 0 : undefined);
      try {
        await retry(store, { attemptsMax: conflictAttempts, pauseMsAfter, clock: systemClock });
        return true;
      } catch (error) {
        // A repeated write whose first answer was lost ends here too: the image is stored, which is what counts.
        if (statusOf(error) === 412) return false;
        throw error;
      }
    },

    async get(path) {
      checkLibraryPath(path);
      const abortSignal = AbortSignal.timeout(imageLibraryTimeoutsMs.get);
      try {
        const { Body, ContentType } = await client.send(new GetObjectCommand({ Bucket: bucket, Key: path }), {
          abortSignal,
        });
        if (!Body) throw new Error(`S3 sent no body for ${path}`);
        const bytes = await Body.transformToByteArray();
        return { bytes, mediaType: ContentType ?? (mediaTypeOfPath(path) as string) };
      } catch (error) {
        if (statusOf(error) === 404) return undefined;
        throw error;
      }
    },

    async has(path) {
      checkLibraryPath(path);
      const abortSignal = AbortSignal.timeout(imageLibraryTimeoutsMs.has);
      try {
        const { LastModified } = await client.send(new HeadObjectCommand({ Bucket: bucket, Key: path }), {
          abortSignal,
        });
        if (isNearItsEnd(path, LastModified, nowMs())) await renew(path, abortSignal);
        return true;
      } catch (error) {
        if (statusOf(error) === 404) return false;
        throw error;
      }
    },

    async remove(path) {
      checkLibraryPath(path);
      const abortSignal = AbortSignal.timeout(imageLibraryTimeoutsMs.remove);
      await client.send(new DeleteObjectCommand({ Bucket: bucket, Key: path }), { abortSignal });
    },

    async *list(prefix) {
      checkLibraryPrefix(prefix);
      let ContinuationToken: string | undefined;
      do {
        const page = await client.send(
          new ListObjectsV2Command({ Bucket: bucket, Prefix: prefix, ContinuationToken }),
          { abortSignal: AbortSignal.timeout(imageLibraryTimeoutsMs.list) },
        );
        for (const { Key } of page.Contents ?? []) if (Key !== undefined && isLibraryPath(Key)) yield Key;
        ContinuationToken = page.NextContinuationToken;
      } while (ContinuationToken !== undefined);
    },
  };
}

const cachingOf = (path: string) => (isPrivatePath(path) ? privateCaching : publicCaching);

/**
 * Whether the bucket is about to remove a rendition. A caller that finds it may rely on it for some days: responses,
 * redirects and signed URLs are kept that long.
 */
function isNearItsEnd(path: string, storedAt: Date | undefined, nowMs: number): boolean {
  const ageDays = storedAt ? (nowMs - storedAt.getTime()) / 86_400_000 : 0;
  return (
    ageDays > renditionDays - reliedOnDays && renditionPrefixes.some((prefix) => path.startsWith(prefix))
  );
}

/** HTTP status of an SDK error. */
function statusOf(error: unknown): number | undefined {
  return (error as { readonly $metadata?: { readonly httpStatusCode?: number } }).$metadata?.httpStatusCode;
}
