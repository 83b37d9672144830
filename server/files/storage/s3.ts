import { createReadStream, createWriteStream } from 'node:fs'
import { mkdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import {
  AbortMultipartUploadCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  HeadBucketCommand,
  S3Client,
  S3ServiceException,
} from '@aws-sdk/client-s3'
import { Upload } from '@aws-sdk/lib-storage'
import { getSignedUrl } from '@aws-sdk/s3-request-presigner'
import { OperatorError } from '../../errors.ts'
import { newUuid } from '../../ids.ts'
import type { Bucket } from '../../settings-reader.ts'
import { checkKey } from './key.ts'
import { type Download, NoSuchFile, type Storage } from './storage.ts'

/** Files are read in parts of this size, two at a time. That bounds the memory of a put for files of any size. */
const PART_BYTES = 8 * 1024 * 1024
const PARTS_AT_ONCE = 2
const CHECK_MS = 3_000

/** Stores files in a bucket. Only files being transferred are on this machine, in the `incoming` folder. */
export class S3Storage implements Storage {
  readonly #bucket: Bucket
  readonly #incoming: string
  readonly #client: S3Client

  constructor(bucket: Bucket, filesDir: string) {
    this.#bucket = bucket
    this.#incoming = join(filesDir, 'incoming')
    this.#client = connect(bucket)
  }

  async put(key: string, path: string, contentType: string): Promise<void> {
    const place = this.#place(key)
    const { size } = await stat(path)
    const content = { Body: createReadStream(path), ContentLength: size, ContentType: contentType }
    await upload(this.#client, { ...place, ...content }, PART_BYTES)
    await rm(path, { force: true })
  }

  async lend<Result>(key: string, work: (path: string) => Promise<Result>): Promise<Result> {
    const place = this.#place(key)
    await mkdir(this.#incoming, { recursive: true, mode: 0o700 })
    const path = join(this.#incoming, `lent-${newUuid()}`)
    try {
      await pipeline(await this.#read(place), createWriteStream(path, { flags: 'wx', mode: 0o600 }))
      return await work(path)
    } finally {
      await rm(path, { force: true })
    }
  }

  async locate(key: string, { contentType, disposition, seconds }: Download): Promise<{ url: string }> {
    const command = new GetObjectCommand({
      ...this.#place(key),
      ResponseContentType: contentType,
      ResponseContentDisposition: disposition,
    })
    return { url: await getSignedUrl(this.#client, command, { expiresIn: seconds }) }
  }

  /** Taken from an address that the client makes, so that it is right for every region, endpoint and style. Nothing is asked for it. */
  async pageSource(): Promise<string> {
    const { name } = this.#bucket
    const credentials = { accessKeyId: 'nobody', secretAccessKey: 'nobody' }
    const client = connect({ ...this.#bucket, credentials })
    const signed = await getSignedUrl(client, new GetObjectCommand({ Bucket: name, Key: 'x' }))
    client.destroy()
    const { origin, pathname } = new URL(signed)
    const folder = pathname.slice(0, -1)
    return folder === '/' ? origin : origin + folder
  }

  async remove(key: string): Promise<void> {
    await this.#client.send(new DeleteObjectCommand(this.#place(key)))
  }

  async check(): Promise<void> {
    try {
      await this.#client.send(new HeadBucketCommand({ Bucket: this.#bucket.name }), {
        abortSignal: AbortSignal.timeout(CHECK_MS),
      })
    } catch (error) {
      throw new OperatorError(
        `Files cannot be kept in the bucket ${this.#bucket.name}: ${advice(error, this.#bucket)}`,
        { cause: error },
      )
    }
  }

  close(): void {
    this.#client.destroy()
  }

  #place(key: string): Place {
    checkKey(key)
    return { Bucket: this.#bucket.name, Key: this.#bucket.prefix + key }
  }

  async #read(place: Place): Promise<Readable> {
    try {
      const { Body } = await this.#client.send(new GetObjectCommand(place))
      if (Body instanceof Readable) return Body
      throw new Error(`the store answered without a file for ${place.Key}`)
    } catch (error) {
      if (!isMissing(error)) throw error
      throw new NoSuchFile(`there is no file ${place.Key} in the bucket ${place.Bucket}`)
    }
  }
}

type Place = { Bucket: string; Key: string }
type Content = { Body: Readable; ContentLength?: number; ContentType?: string }

/** Uploads in parts as the content comes in, so that its size need not be known. */
export async function upload(client: S3Client, object: Place & Content, partBytes: number): Promise<void> {
  const uploading = new Upload({
    client,
    params: object,
    partSize: partBytes,
    queueSize: PARTS_AT_ONCE,
    // Given up below instead: the library forgets it where the last step fails, and may hide why it failed.
    leavePartsOnError: true,
  })
  try {
    await uploading.done()
  } catch (error) {
    object.Body.destroy()
    if (uploading.uploadId) await giveUp(client, object, uploading.uploadId)
    throw error
  }
}

/** Aborts the upload: unfinished parts would be kept, and paid for, forever. */
async function giveUp(client: S3Client, { Bucket, Key }: Place, UploadId: string): Promise<void> {
  try {
    await client.send(new AbortMultipartUploadCommand({ Bucket, Key, UploadId }))
  } catch {
    // The store is unreachable; the reason for the failed upload says more.
  }
}

export type Store = Pick<Bucket, 'region' | 'endpoint' | 'credentials' | 'pathStyle'>

export function connect({ region, endpoint, credentials, pathStyle }: Store): S3Client {
  return new S3Client({
    region,
    ...(endpoint !== undefined && { endpoint }),
    ...(credentials && { credentials }),
    forcePathStyle: pathStyle,
    // Every part travels with a SHA-256 of its bytes, which the signature covers and every store checks. The CRC that
    // the client would add protects it from nothing more on the way, and some stores refuse requests that carry one.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    // The second is for silence, not for the whole: a part may take long on a slow line.
    requestHandler: { connectionTimeout: 3_000, socketTimeout: 30_000 },
    maxAttempts: 3,
  })
}

/** A missing bucket is also a 404, but no missing file. */
function isMissing(error: unknown): boolean {
  return statusOf(error) === 404 && error instanceof Error && error.name !== 'NoSuchBucket'
}

function advice(error: unknown, { endpoint, region }: Bucket): string {
  const status = statusOf(error)
  if (status === 404) return 'it is not there. Create it, or correct S3_BUCKET or S3_ENDPOINT.'
  if (status === 401 || status === 403) {
    return (
      'the store refuses access. Look at S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY, and whether they may list the ' +
      'bucket and read, write and delete in it.'
    )
  }
  if (status === 301 || status === 307 || status === 400) {
    return `the store does not know it like this (${status}); is its region ${region}? Look at S3_REGION and S3_PATH_STYLE.`
  }
  if (status !== undefined) return `the store answered ${status}. Look at S3_ENDPOINT and at its log.`
  if (error instanceof Error && error.name === 'CredentialsProviderError') {
    return 'this machine has no credentials of its own. Set S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY.'
  }
  return `${endpoint ?? 'the store'} cannot be reached (${reasonOf(error)}). Look at S3_ENDPOINT and at the network.`
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  if (error.name === 'AbortError') return `no answer within ${CHECK_MS / 1000} seconds`
  return error.message || error.name
}

export function statusOf(error: unknown): number | undefined {
  return error instanceof S3ServiceException ? error.$metadata.httpStatusCode : undefined
}
