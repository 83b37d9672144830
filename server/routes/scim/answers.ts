import type { FastifyReply, FastifyRequest } from 'fastify'
import { ERROR_SCHEMA, LIST_SCHEMA, SCIM_TYPE } from '../../../contract/scim.ts'
import { sha256 } from '../../ids.ts'
import { fieldOf } from '../../scim/match.ts'
import { ScimRefusal } from '../../scim/refusal.ts'

export type Resource = Record<string, unknown> & { id: string }
export type Shown = Resource & { meta: Meta }
type Meta = {
  resourceType: Kind['resourceType']
  created: string
  lastModified: string
  location: string
  version: string
}

type Kind = { resourceType: 'User' | 'Group'; path: 'Users' | 'Groups'; base: string }

/** Adds `meta`. The version follows from all that is shown, so that a change in the same millisecond makes another one. */
export function withMeta(
  resource: Record<string, unknown>,
  { id, createdAt, updatedAt }: { id: string; createdAt: number; updatedAt: number },
  { resourceType, path, base }: Kind,
): Shown {
  const version = sha256(JSON.stringify([resource, updatedAt]))
    .toString('base64url')
    .slice(0, 16)
  return {
    ...resource,
    id,
    meta: {
      resourceType,
      created: new Date(createdAt).toISOString(),
      lastModified: new Date(updatedAt).toISOString(),
      location: `${base}/${path}/${id}`,
      version: `W/"${version}"`,
    },
  }
}

/** Refuses a change of another version than the one that the caller has seen. */
export function checkVersion({ headers }: FastifyRequest, { meta: { version } }: Shown): void {
  const wanted = headers['if-match']
  if (wanted === undefined || isAmong(wanted, version)) return
  throw new ScimRefusal(412, 'the resource has changed: read it again')
}

const isAmong = (header: string, version: string): boolean =>
  header
    .split(',')
    .some((one) => one.trim() === '*' || one.trim().replace(/^W\//, '') === version.replace(/^W\//, ''))

export function sendResource(
  request: FastifyRequest,
  reply: FastifyReply,
  resource: Shown,
  status: 200 | 201 = 200,
): FastifyReply {
  const { version, location } = resource.meta
  reply.header('ETag', version)
  const seen = request.headers['if-none-match']
  if (request.method === 'GET' && seen !== undefined && isAmong(seen, version)) return reply.code(304).send()
  return sendJson(reply.header('Location', location), status, choose(resource, choiceOf(request.query)))
}

export type Page = { total: number; startIndex: number; resources: Record<string, unknown>[] }

export const sendPage = (reply: FastifyReply, { total, startIndex, resources }: Page): FastifyReply =>
  sendJson(reply, 200, {
    schemas: [LIST_SCHEMA],
    totalResults: total,
    startIndex,
    itemsPerPage: resources.length,
    Resources: resources,
  })

/** Content types of Fastify end in a charset, which `application/scim+json` does not have. */
export const sendJson = (reply: FastifyReply, status: number, body: unknown): FastifyReply =>
  reply
    .code(status)
    .header('Content-Type', SCIM_TYPE)
    .send(Buffer.from(JSON.stringify(body)))

export const sendRefusal = (reply: FastifyReply, { status, scimType, message }: Refused): FastifyReply =>
  sendJson(reply, status, {
    schemas: [ERROR_SCHEMA],
    status: String(status),
    ...(scimType && { scimType }),
    detail: message,
  })
export type Refused = { status: number; scimType?: string | undefined; message: string }

/** Attributes that an answer has only, or does not have. */
export type Choice = { only: string[]; without: string[] }

export const choiceOf = (asked: unknown): Choice => ({
  only: namesIn(fieldOf(asked, 'attributes')),
  without: namesIn(fieldOf(asked, 'excludedattributes')),
})

function namesIn(value: unknown): string[] {
  const text = Array.isArray(value) ? value.join(',') : typeof value === 'string' ? value : ''
  return text
    .toLowerCase()
    .split(',')
    .map((name) => name.trim().replace(/^urn:ietf:params:scim:schemas:core:2\.0:(?:user|group):/, ''))
    .filter((name) => name !== '')
}

const ALWAYS = ['schemas', 'id']

export function choose(
  resource: Record<string, unknown>,
  { only, without }: Choice,
): Record<string, unknown> {
  if (only.length === 0 && without.length === 0) return resource
  const kept = Object.entries(resource).filter(([name]) => {
    const small = name.toLowerCase()
    if (ALWAYS.includes(small)) return true
    if (only.length > 0) return only.some((one) => one === small || one.startsWith(`${small}.`))
    return !without.includes(small)
  })
  return Object.fromEntries(kept)
}

/** Whether an answer has this attribute. */
export const isChosen = (name: string, { only, without }: Choice): boolean =>
  only.length > 0 ? only.some((one) => one === name || one.startsWith(`${name}.`)) : !without.includes(name)
