/** Stores images in an S3 bucket. CloudFront delivers them from there. */

import {
  CopyObjectCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  S3Client,
} from '@aws-sdk/client-s3';
import { makeClientDefaults } from '../../aws/agent';
import { systemClock } from '../../base/clock';
import { Outage } from '../../base/outage';
import { retry } from '../../base/retry';
import { dayMs } from '../../base/window';
import { reliedOnDays, renditionPrefixes, renditionTtlDays } from '../../contract/image-paths';
import { awsTimes, imageStoreTimeoutsMs } from '../../contract/timeouts';
import type { ImageStore } from '../image-store';
import { findMediaType, isPrivatePath, isStoredPath, type StoredPath } from '../stored-path';

/** Most attempts of a write while another write of the same key is under way. */
const conflictAttemptsMax = 3;

/** Caches keep a public image for a year, because a path never gets another image. */
const publicCaching = 'public, max-age=31536000, immutable';

/** Only the viewer's browser keeps a private image. CloudFront checks signatures also for cached files. */
const privateCaching = 'private, max-age=31536000, immutable';

/** Opens a bucket of this account, with three attempts a call. */
export function openS3Store(bucket: string): ImageStore {
  // `requestTimeout` only warns unless it is configured to throw.
  const requestHandler = {
    connectionTimeout: awsTimes.connectionMs,
    requestTimeout: imageStoreTimeoutsMs.attempt,
    throwOnRequestTimeout: true,
  };
  return createS3Store(new S3Client({ ...makeClientDefaults(), maxAttempts: 3, requestHandler }), bucket);
}

/**
 * Creates the image store of a bucket.
 * @param client a client that nobody else uses, because the store adds middleware to it
 * @param bucket its name; without the right `s3:ListBucket` S3 answers 403 for a missing image
 */
export function createS3Store(client: S3Client, bucket: string, nowMs: () => number = Date.now): ImageStore {
  throwOutages(client);
  const locate = (path: StoredPath) => ({ Bucket: bucket, Key: path });
  const describeObject = (path: StoredPath) => ({
    ...locate(path),
    ContentType: findMediaType(path),
    CacheControl: isPrivatePath(path) ? privateCaching : publicCaching,
  });
  const renew = async (path: StoredPath, abortSignal: AbortSignal) => {
    const source = { CopySource: `${bucket}/${path}`, MetadataDirective: 'REPLACE' } as const;
    await client.send(new CopyObjectCommand({ ...describeObject(path), ...source }), { abortSignal });
  };

  return {
    async put(path, bytes, signal) {
      const abortSignal = makeTimedSignal(imageStoreTimeoutsMs.put, signal);
      const command = new PutObjectCommand({ ...describeObject(path), Body: bytes, IfNoneMatch: '*' });
      return putObject(client, command, abortSignal);
    },

    async get(path, signal) {
      const abortSignal = makeTimedSignal(imageStoreTimeoutsMs.get, signal);
      try {
        const { Body, LastModified } = await client.send(new GetObjectCommand(locate(path)), { abortSignal });
        const bytes = await (Body as NonNullable<typeof Body>).transformToByteArray();
        const file = { bytes, mediaType: findMediaType(path) as string };
        if (!isNearItsEnd(path, LastModified, nowMs())) return file;
        // A rendition that is read is given out again, so it is renewed. After a failure the next read tries again.
        const renewalError = await renew(path, abortSignal).catch((error: unknown) => error);
        return renewalError === undefined ? file : { ...file, renewalError };
      } catch (error) {
        if (getHttpStatus(error) === 404) return undefined;
        throw error;
      }
    },

    async remove(path) {
      const abortSignal = AbortSignal.timeout(imageStoreTimeoutsMs.remove);
      await client.send(new DeleteObjectCommand(locate(path)), { abortSignal });
    },

    list: (prefix) => listPaths(client, bucket, prefix),
  };
}

/** Puts an object, unless its key has one: then it returns false. */
async function putObject(
  client: S3Client,
  command: PutObjectCommand,
  abortSignal: AbortSignal,
): Promise<boolean> {
  // 409: another write of the same key is under way, and it may fail.
  const computePauseMs = (error: unknown) => (getHttpStatus(error) === 409 ? 0 : undefined);
  const conflictRetry = { attemptsMax: conflictAttemptsMax, computePauseMs, clock: systemClock };
  try {
    await retry(() => client.send(command, { abortSignal }), conflictRetry);
    return true;
  } catch (error) {
    // 412: the key has an object. An attempt of this call with a lost answer may have put it.
    if (getHttpStatus(error) === 412) return false;
    throw error;
  }
}

async function* listPaths(client: S3Client, bucket: string, prefix: string): AsyncIterable<StoredPath> {
  let ContinuationToken: string | undefined;
  do {
    const command = new ListObjectsV2Command({ Bucket: bucket, Prefix: prefix, ContinuationToken });
    const abortSignal = AbortSignal.timeout(imageStoreTimeoutsMs.list);
    const listing = await client.send(command, { abortSignal });
    for (const { Key } of listing.Contents ?? []) if (isStoredPath(Key)) yield Key;
    ContinuationToken = listing.NextContinuationToken;
  } while (ContinuationToken !== undefined);
}

/** Makes a client throw failures of S3 as `Outage`. A refusal of S3 stays an error of the service. */
function throwOutages(client: S3Client): void {
  client.middlewareStack.add(
    (next) => (args) =>
      next(args).catch((error: unknown) => {
        const status = getHttpStatus(error) ?? 503;
        if (status < 500 && status !== 429) throw error;
        throw new Outage('S3 did not answer', { cause: error });
      }),
    { step: 'initialize' },
  );
}

/** Makes a signal that aborts after a time, or when another signal aborts. */
function makeTimedSignal(timeoutMs: number, signal: AbortSignal | undefined): AbortSignal {
  const timeout = AbortSignal.timeout(timeoutMs);
  return signal ? AbortSignal.any([timeout, signal]) : timeout;
}

/** Returns true if the bucket removes a rendition within `reliedOnDays`, while caches may keep its redirect. */
function isNearItsEnd(path: string, storedAt: Date | undefined, nowMs: number): boolean {
  const ageDays = storedAt ? (nowMs - storedAt.getTime()) / dayMs : 0;
  return (
    ageDays > renditionTtlDays - reliedOnDays && renditionPrefixes.some((prefix) => path.startsWith(prefix))
  );
}

function getHttpStatus(error: unknown): number | undefined {
  return (error as { readonly $metadata?: { readonly httpStatusCode?: number } }).$metadata?.httpStatusCode;
}
