import { chatPath, readJson, refusalOf, UNREACHABLE } from '../../api/chat.ts'
import type { Outgoing } from '../model.ts'
import { multipartOf } from './multipart.ts'
import type { Upload } from './open-chat.ts'
import type { UploadResult } from './protocol.ts'

const PROGRESS_MS = 100

/** Uploads files with XMLHttpRequest, which alone tells how many bytes have gone out. */
export function uploadFiles(
  organizationId: string,
  item: Outgoing,
  onProgress: (sentBytes: number) => void,
): Upload {
  const request = new XMLHttpRequest()
  let toldAt = 0
  const result = new Promise<UploadResult>((resolve) => {
    const lost = () => resolve({ failure: { status: 0, code: UNREACHABLE, text: '' } })
    request.upload.addEventListener('progress', ({ loaded, total }) => {
      if (Date.now() - toldAt < PROGRESS_MS && loaded < total) return
      toldAt = Date.now()
      onProgress(loaded)
    })
    request.addEventListener('error', lost)
    request.addEventListener('abort', lost)
    request.addEventListener('load', () => {
      const value = readJson(request.responseText)
      if (request.status >= 200 && request.status < 300) {
        resolve({ answer: value })
        return
      }
      const headers = { get: (name: string) => request.getResponseHeader(name) }
      const { failure, retryAfterMs } = refusalOf(request.status, headers, value)
      resolve({ failure, retryAfterMs })
    })
  })
  const { body, contentType } = multipartOf(item)
  request.open('POST', chatPath(organizationId, '/messages'))
  request.setRequestHeader('Content-Type', contentType)
  request.setRequestHeader('Idempotency-Key', item.localId)
  request.send(body)
  return { result, stop: () => request.abort() }
}
