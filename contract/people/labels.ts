import { Type } from 'typebox'
import { Uuid } from '../common.ts'
import { Label } from '../labels.ts'
import { LIMITS } from '../limits.ts'
import { peopleOperation } from '../operation.ts'
import { InOrganization, Name, ORGANIZATION } from './common.ts'

const TAG = 'People: labels'

const params = InOrganization({ labelId: Uuid('The label') })
const body = Type.Object({ name: Name(LIMITS.labelName, 'Name of the label') })
const example = { id: '1d2c3b4a-5f6e-4788-99aa-bbccddeeff00', name: 'Urgent' }

export const listConsoleLabels = peopleOperation({
  id: 'listConsoleLabels',
  method: 'GET',
  path: `${ORGANIZATION}/labels`,
  tag: TAG,
  summary: 'List the labels with the number of topics that have them',
  access: 'admin',
  params: InOrganization(),
  success: {
    200: {
      description: 'All labels, the oldest first',
      schema: Type.Object({
        labels: Type.Array(Type.Object({ ...Label.properties, topics: Type.Integer() })),
      }),
      example: { labels: [{ ...example, topics: 3 }] },
    },
  },
})

export const createConsoleLabel = peopleOperation({
  id: 'createConsoleLabel',
  method: 'POST',
  path: `${ORGANIZATION}/labels`,
  tag: TAG,
  summary: 'Create a label',
  access: 'admin',
  params: InOrganization(),
  body,
  bodyExample: { name: 'Urgent' },
  success: { 201: { description: 'The label', schema: Label, example } },
  refusals: ['label_name_taken'],
})

export const renameLabel = peopleOperation({
  id: 'renameLabel',
  method: 'PATCH',
  path: `${ORGANIZATION}/labels/{labelId}`,
  tag: TAG,
  summary: 'Rename a label',
  access: 'admin',
  params,
  body,
  bodyExample: { name: 'Very urgent' },
  success: { 200: { description: 'The label', schema: Label, example } },
  refusals: ['label_name_taken', 'label_not_found'],
})

export const deleteLabel = peopleOperation({
  id: 'deleteLabel',
  method: 'DELETE',
  path: `${ORGANIZATION}/labels/{labelId}`,
  tag: TAG,
  summary: 'Delete a label',
  description: 'Topics that have it have none afterwards.',
  access: 'admin',
  params,
  success: { 204: { description: 'Deleted' } },
  refusals: ['label_not_found'],
})
