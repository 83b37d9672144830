/** Who acts. Queries and actions take it as their first argument and reach data through it. */
export type Caller = { orgId: string; profileId: string }
