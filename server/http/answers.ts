export const ok = <Body>(body: Body): { status: 200; body: Body } => ({ status: 200, body })
export const created = <Body>(body: Body): { status: 201; body: Body } => ({ status: 201, body })
/** A body that is already JSON text. */
export const json = <Status extends number>(
  status: Status,
  payload: string | Buffer,
): { status: Status; payload: string | Buffer } => ({
  status,
  payload,
})

export const noContent = (): { status: 204 } => ({ status: 204 })
