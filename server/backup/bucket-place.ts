import { Readable } from 'node:stream'
import {
  DeleteObjectCommand,
  GetObjectCommand,
  HeadObjectCommand,
  ListObjectsV2Command,
  type S3Client,
} from '@aws-sdk/client-s3'
import { OperatorError } from '../errors.ts'
import { connect, statusOf, upload } from '../files/storage/s3.ts'
import type { Bucket } from '../settings-reader.ts'
import type { BackupFolder, Place } from './places.ts'

/** A part of an upload. A store takes 10,000 of them, so a backup may have 640 GB; two are in memory at a time. */
const PART_BYTES = 64 * 1024 * 1024
const ADDRESS = /^s3:\/\/([^/]+)\/(.+)$/

/**
 * The client of the store of files, if they are in a bucket; otherwise one set by the usual variables of S3 programs.
 */
function connectFor(s3: Bucket | undefined): S3Client {
  if (s3) return connect(s3)
  const { AWS_REGION, AWS_ENDPOINT_URL, AWS_ENDPOINT_URL_S3 } = process.env
  return connect({
    region: AWS_REGION ?? 'us-east-1',
    endpoint: undefined, // the client reads it by itself
    credentials: undefined,
    pathStyle: (AWS_ENDPOINT_URL_S3 ?? AWS_ENDPOINT_URL) !== undefined,
  })
}

function readAddress(address: string): { Bucket: string; Key: string } {
  const [, name, key] = ADDRESS.exec(address) ?? []
  if (name !== undefined && key !== undefined) return { Bucket: name, Key: key }
  throw new OperatorError(`"${address}" must name a bucket and a place in it: s3://bucket/parley.backup`)
}

/**
 * `s3://bucket/key`. It is written in parts as it is made, and is there when the store has put them together: before it is read back, so that one
 * which turns out to be damaged is removed again.
 */
export function bucketPlace(address: string, s3: Bucket | undefined): Place {
  const place = readAddress(address)
  const client = connectFor(s3)
  let isWritten = false
  return {
    name: address,
    async write(bytes) {
      if (await isThere(client, place))
        throw new OperatorError(`${address} is there already. Give another name, or remove it first.`)
      await explained(address, upload(client, { ...place, Body: Readable.from(bytes) }, PART_BYTES))
      isWritten = true
    },
    async *read() {
      const { Body } = await explained(address, client.send(new GetObjectCommand(place)))
      if (!(Body instanceof Readable)) throw new Error(`the store answered without a file for ${address}`)
      yield* Body
    },
    async size() {
      const { ContentLength = 0 } = await explained(address, client.send(new HeadObjectCommand(place)))
      return ContentLength
    },
    async publish() {
      isWritten = false
    },
    async discard() {
      if (isWritten) await client.send(new DeleteObjectCommand(place))
    },
  }

  async function isThere(store: S3Client, object: { Bucket: string; Key: string }): Promise<boolean> {
    try {
      await store.send(new HeadObjectCommand(object))
      return true
    } catch (error) {
      if (statusOf(error) === 404) return false
      throw explain(address, error)
    }
  }
}

/** `s3://bucket/prefix`. An upload that broke off is not there: the store forgets parts that were never put together. */
export function bucketFolder(address: string, s3: Bucket | undefined): BackupFolder {
  const { Bucket: name, Key: prefix } = readAddress(`${address.replace(/\/+$/, '')}/`)
  const client = connectFor(s3)
  return {
    placeOf: (backup) => `${address.replace(/\/+$/, '')}/${backup}`,
    async removeDrafts() {},
    async list() {
      const names: string[] = []
      for (
        let ContinuationToken: string | undefined, isFirst = true;
        isFirst || ContinuationToken;
        isFirst = false
      ) {
        const page = await client.send(
          new ListObjectsV2Command({ Bucket: name, Prefix: prefix, ContinuationToken }),
        )
        names.push(...(page.Contents ?? []).map(({ Key = '' }) => Key.slice(prefix.length)))
        ContinuationToken = page.NextContinuationToken
      }
      return names
    },
    async remove(backup) {
      await client.send(new DeleteObjectCommand({ Bucket: name, Key: prefix + backup }))
    },
  }
}

async function explained<Result>(address: string, work: Promise<Result>): Promise<Result> {
  try {
    return await work
  } catch (error) {
    throw explain(address, error)
  }
}

/** Explains an error of the store, with its fix. Other errors, such as a damaged source, stay as they are. */
function explain(address: string, error: unknown): unknown {
  const status = statusOf(error)
  if (status === 404) return new OperatorError(`There is no ${address}, or no such bucket.`, { cause: error })
  if (status === 401 || status === 403) {
    const fix =
      'Look at S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY (AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY where S3_BUCKET is not set).'
    return new OperatorError(`The store refuses access to ${address}. ${fix}`, { cause: error })
  }
  if (status !== undefined)
    return new OperatorError(`The store answered ${status} for ${address}.`, { cause: error })
  return error
}
