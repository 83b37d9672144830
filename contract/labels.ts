import { type Static, Type } from 'typebox'
import { Name, Uuid } from './common.ts'
import { LIMITS } from './limits.ts'
import { operation } from './operation.ts'

export const Label = Type.Object({ id: Uuid('The label'), name: Type.String() })
export type Label = Static<typeof Label>

const example: Label = { id: '1d2c3b4a-5f6e-4788-99aa-bbccddeeff00', name: 'Urgent' }

export const createLabel = operation({
  id: 'createLabel',
  method: 'POST',
  path: '/v2/organization/labels',
  tag: 'Labels',
  summary: 'Create a label of the organization',
  description: 'Names are unique without regard to case.',
  scope: 'channel:write',
  body: Type.Object({ name: Name(LIMITS.labelName, 'Name of the label') }),
  bodyExample: { name: 'Urgent' },
  success: { 201: { description: 'The label', schema: Label, example } },
  refusals: ['label_name_taken'],
})

export const listLabels = operation({
  id: 'listLabels',
  method: 'GET',
  path: '/v2/organization/labels',
  tag: 'Labels',
  summary: 'List the labels of the organization',
  scope: 'channel:read',
  success: {
    200: {
      description: 'All labels, oldest first',
      schema: Type.Object({ labels: Type.Array(Label) }),
      example: { labels: [example] },
    },
  },
})
