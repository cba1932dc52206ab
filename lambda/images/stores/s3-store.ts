/** Stores images in an S3 bucket. CloudFront delivers them from there. */

import {
  CopyObjectCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  S3Client,
} from '@aws-sdk/client-s3';
import { clientDefaults } from '../../aws/agent';
import { systemClock } from '../../base/clock';
import { Outage } from '../../base/outage';
import { retry } from '../../base/retry';
import { dayMs } from '../../base/window';
import { reliedOnDays, renditionPrefixes, renditionTtlDays } from '../../contract/image-paths';
import { awsTimes, imageStoreTimeoutsMs } from '../../contract/timeouts';
import type { ImageStore, StoredFile } from '../image-store';
import { isPrivatePath, isStoredPath, mediaTypeOfPath, type StoredPath, toStoredPath } from '../stored-path';

/** Number of attempts of a write while another write of the same key is under way. */
const conflictAttempts = 3;

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
  return createS3Store(new S3Client({ ...clientDefaults(), maxAttempts: 3, requestHandler }), bucket);
}

interface Bucket {
  readonly client: S3Client;
  readonly name: string;
}

/**
 * Makes the image store of a bucket.
 * @param client a client that nobody else uses, because this adapter adds middleware to it
 * @param name the bucket; without the right `s3:ListBucket` S3 answers 403 for a missing image
 */
export function createS3Store(
  client: S3Client,
  name: string,
  nowMs: () => number = () => Date.now(),
): ImageStore {
  throwOutages(client);
  const bucket = { client, name };
  return {
    put: (path, bytes, signal) => putFile(bucket, path, bytes, signal),
    get: (path, signal) => getFile(bucket, path, nowMs, signal),
    remove: (path) => removeFile(bucket, path),
    list: (prefix) => listPaths(bucket, prefix),
  };
}

/** Makes a client throw failures of S3 as `Outage`. A refusal of S3 stays an error of the service. */
function throwOutages(client: S3Client): void {
  client.middlewareStack.add(
    (next) => (args) =>
      next(args).catch((error: unknown) => {
        const status = httpStatusOf(error) ?? 503;
        if (status < 500 && status !== 429) throw error;
        throw new Outage('S3 did not answer', { cause: error });
      }),
    { step: 'initialize' },
  );
}

async function putFile(
  bucket: Bucket,
  path: StoredPath,
  bytes: Uint8Array,
  signal: AbortSignal | undefined,
): Promise<boolean> {
  toStoredPath(path);
  const abortSignal = within(imageStoreTimeoutsMs.put, signal);
  const command = new PutObjectCommand({ ...describedObject(bucket, path), Body: bytes, IfNoneMatch: '*' });
  // 409: another write of the same key is under way, and it may fail.
  const pauseMsAfter = (error: unknown) => (httpStatusOf(error) === 409 ? 0 : undefined);
  const conflictRetry = { attemptsMax: conflictAttempts, pauseMsAfter, clock: systemClock };
  // 412: the path has an image. An attempt of this call with a lost answer may have stored it.
  return unless(412, false, async () => {
    await retry(() => bucket.client.send(command, { abortSignal }), conflictRetry);
    return true;
  });
}

async function getFile(
  bucket: Bucket,
  path: StoredPath,
  nowMs: () => number,
  signal: AbortSignal | undefined,
): Promise<StoredFile | undefined> {
  toStoredPath(path);
  const abortSignal = within(imageStoreTimeoutsMs.get, signal);
  return unless(404, undefined, async () => {
    const command = new GetObjectCommand({ Bucket: bucket.name, Key: path });
    const { Body, ContentType, LastModified } = await bucket.client.send(command, { abortSignal });
    if (!Body) throw new Error(`S3 sent no body for ${path}`);
    const bytes = await Body.transformToByteArray();
    const file = { bytes, mediaType: ContentType ?? (mediaTypeOfPath(path) as string) };
    if (!isNearItsEnd(path, LastModified, nowMs())) return file;
    // A rendition that is read is given out again, so it is renewed. After a failure the next read tries again.
    const renewing = renew(bucket, path, abortSignal).then(() => file);
    return renewing.catch((renewalError: unknown) => ({ ...file, renewalError }));
  });
}

async function renew(bucket: Bucket, path: StoredPath, abortSignal: AbortSignal): Promise<void> {
  const source = { CopySource: `${bucket.name}/${path}`, MetadataDirective: 'REPLACE' } as const;
  const command = new CopyObjectCommand({ ...describedObject(bucket, path), ...source });
  await bucket.client.send(command, { abortSignal });
}

function describedObject(bucket: Bucket, path: StoredPath) {
  return {
    Bucket: bucket.name,
    Key: path,
    ContentType: mediaTypeOfPath(path),
    CacheControl: isPrivatePath(path) ? privateCaching : publicCaching,
  };
}

async function removeFile({ client, name }: Bucket, path: StoredPath): Promise<void> {
  toStoredPath(path);
  const abortSignal = AbortSignal.timeout(imageStoreTimeoutsMs.remove);
  await client.send(new DeleteObjectCommand({ Bucket: name, Key: path }), { abortSignal });
}

async function* listPaths({ client, name }: Bucket, prefix: string): AsyncGenerator<StoredPath> {
  toStoredPath(`${prefix}a.png`);
  let ContinuationToken: string | undefined;
  do {
    const command = new ListObjectsV2Command({ Bucket: name, Prefix: prefix, ContinuationToken });
    const abortSignal = AbortSignal.timeout(imageStoreTimeoutsMs.list);
    const part = await client.send(command, { abortSignal });
    for (const { Key } of part.Contents ?? []) if (isStoredPath(Key)) yield Key;
    ContinuationToken = part.NextContinuationToken;
  } while (ContinuationToken !== undefined);
}

function within(timeoutMs: number, signal: AbortSignal | undefined): AbortSignal {
  const timeout = AbortSignal.timeout(timeoutMs);
  return signal ? AbortSignal.any([timeout, signal]) : timeout;
}

/** Waits for the response of S3. After an error with this status, `otherwise` is returned. */
async function unless<T, Otherwise>(
  status: number,
  otherwise: Otherwise,
  send: () => Promise<T>,
): Promise<T | Otherwise> {
  try {
    return await send();
  } catch (error) {
    if (httpStatusOf(error) === status) return otherwise;
    throw error;
  }
}

/** Returns true if the bucket removes a rendition within `reliedOnDays`, while caches may keep its redirect. */
function isNearItsEnd(path: string, storedAt: Date | undefined, nowMs: number): boolean {
  const ageDays = storedAt ? (nowMs - storedAt.getTime()) / dayMs : 0;
  return (
    ageDays > renditionTtlDays - reliedOnDays && renditionPrefixes.some((prefix) => path.startsWith(prefix))
  );
}

function httpStatusOf(error: unknown): number | undefined {
  return (error as { readonly $metadata?: { readonly httpStatusCode?: number } }).$metadata?.httpStatusCode;
}
