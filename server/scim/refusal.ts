/** Words of RFC 7644, section 3.12, for what is wrong with a request. */
export type ScimType =
  | 'invalidFilter'
  | 'invalidPath'
  | 'invalidSyntax'
  | 'invalidValue'
  | 'mutability'
  | 'noTarget'
  | 'tooMany'
  | 'uniqueness'

type Status = 400 | 401 | 403 | 404 | 409 | 412 | 413 | 415 | 429 | 501

/** A SCIM request that is turned down, in the words that its sender gets. */
export class ScimRefusal extends Error {
  readonly status: Status
  readonly scimType: ScimType | undefined
  readonly headers: Record<string, string>

  constructor(
    status: Status,
    detail: string,
    { scimType, headers = {} }: { scimType?: ScimType; headers?: Record<string, string> } = {},
  ) {
    super(detail)
    this.status = status
    this.scimType = scimType
    this.headers = headers
  }
}

export const badRequest = (scimType: ScimType, detail: string): ScimRefusal =>
  new ScimRefusal(400, detail, { scimType })
