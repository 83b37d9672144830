export const ok = <Body>(body: Body): { status: 200; body: Body } => ({ status: 200, body })
export const created = <Body>(body: Body): { status: 201; body: Body } => ({ status: 201, body })
export const noContent = (): { status: 204 } => ({ status: 204 })
