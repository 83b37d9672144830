import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import {
  CreateBucketCommand,
  GetObjectCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  S3Client,
} from '@aws-sdk/client-s3'
import { newUuid } from '../../server/ids.ts'
import { closedPort, until } from './receiver.ts'

/** A store given by the environment, or the one of `pip install moto[server]`. */
const { S3_TEST_ENDPOINT } = process.env
const hasMoto = S3_TEST_ENDPOINT === undefined && spawnSync('moto_server', ['--help']).status === 0
export const hasStore = S3_TEST_ENDPOINT !== undefined || hasMoto

/** A new bucket, and the variables with which any program finds it. */
export type TestBucket = {
  name: string
  environment: Record<string, string>
  keys(): Promise<string[]>
  read(key: string): Promise<Buffer>
  put(key: string, content: string): Promise<void>
  close(): Promise<void>
}

export async function openTestBucket(): Promise<TestBucket> {
  const port = hasMoto ? await closedPort() : 0
  const child = hasMoto
    ? spawn('moto_server', ['-H', '127.0.0.1', '-p', String(port)], { stdio: 'ignore' })
    : undefined
  const environment = {
    AWS_ENDPOINT_URL_S3: S3_TEST_ENDPOINT ?? `http://127.0.0.1:${port}`,
    AWS_ACCESS_KEY_ID: process.env.S3_TEST_ACCESS_KEY_ID ?? 'minioadmin',
    AWS_SECRET_ACCESS_KEY: process.env.S3_TEST_SECRET_ACCESS_KEY ?? 'minioadmin',
  }
  const client = new S3Client({
    region: 'us-east-1',
    endpoint: environment.AWS_ENDPOINT_URL_S3,
    credentials: {
      accessKeyId: environment.AWS_ACCESS_KEY_ID,
      secretAccessKey: environment.AWS_SECRET_ACCESS_KEY,
    },
    forcePathStyle: true,
    maxAttempts: 1,
  })
  const name = `parley-${newUuid()}`
  await until(() =>
    client.send(new CreateBucketCommand({ Bucket: name })).then(
      () => true,
      () => false,
    ),
  )
  return {
    name,
    environment,
    async keys() {
      const { Contents = [] } = await client.send(new ListObjectsV2Command({ Bucket: name }))
      return Contents.map(({ Key = '' }) => Key).sort()
    },
    async read(key) {
      const { Body } = await client.send(new GetObjectCommand({ Bucket: name, Key: key }))
      return Buffer.from((await Body?.transformToByteArray()) ?? [])
    },
    async put(key, content) {
      await client.send(new PutObjectCommand({ Bucket: name, Key: key, Body: content }))
    },
    async close() {
      client.destroy()
      if (!child) return
      child.kill('SIGKILL')
      if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
    },
  }
}
