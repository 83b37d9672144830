import { useState } from 'react'
import { LIMITS } from '../../../../contract/limits.ts'
import type {
  ConsoleOrgUnit,
  createConsoleOrgUnit,
  updateOrgUnit,
} from '../../../../contract/people/org-units.ts'
import { call } from '../../api/call.ts'
import { useMembership } from '../../api/session.ts'
import { Choices } from '../../kit/choice.tsx'
import { FormDialog, TextField } from '../../kit/form.tsx'
import { useForm } from '../../kit/form-state.ts'
import { named } from '../../kit/name.tsx'
import { showToast } from '../../kit/toast.tsx'
import { common } from '../../texts/common.ts'
import { orgUnits } from '../../texts/org-units.ts'
import { useTexts } from '../../texts/texts.ts'
import { useChanged } from './changes.ts'

/** Makes an org unit, or changes the one that is given. */
export function EditOrgUnit({ unit, onClose }: { unit?: ConsoleOrgUnit; onClose: () => void }) {
  const t = useTexts(orgUnits)
  const c = useTexts(common)
  const changed = useChanged()
  const { organizationId } = useMembership()
  const [name, setName] = useState(unit?.name ?? '')
  const [tag, setTag] = useState(unit?.tag)
  const [type, setType] = useState<ConsoleOrgUnit['type']>(unit?.type ?? 'Team')
  const words = t.editing
  // The tag follows the name until one is entered.
  const shownTag = tag ?? tagFrom(name)

  const form = useForm<'name' | 'tag', ConsoleOrgUnit>({
    asksBeforeLeaving: true,
    check: () => ({
      name: name.trim() === '' && words.nameMissing,
      tag: shownTag.trim() === '' && words.tagMissing,
    }),
    send: () => {
      const body = { name: name.trim(), tag: shownTag.trim(), type }
      return unit
        ? call<typeof updateOrgUnit>(
            'PATCH',
            '/people/organizations/{organizationId}/org-units/{orgUnitId}',
            {
              params: { organizationId, orgUnitId: unit.id },
              body,
            },
          )
        : call<typeof createConsoleOrgUnit>('POST', '/people/organizations/{organizationId}/org-units', {
            params: { organizationId },
            body,
          })
    },
    fields: { tag: 'tag', name: 'name' },
    onDone: (saved) => {
      changed('org_unit')
      showToast({ text: unit ? c.saved : words.created(named(saved.name)) })
      onClose()
    },
  })
  return (
    <FormDialog
      form={form}
      title={unit ? words.title(named(unit.name)) : words.newTitle}
      action={unit ? c.save : c.create}
      onClose={onClose}
    >
      <TextField
        label={words.name}
        hint={words.nameHint}
        autoComplete="off"
        maxLength={LIMITS.orgUnitName}
        required
        value={name}
        onChange={setName}
        mistake={form.mistake('name')}
      />
      <TextField
        label={words.tag}
        hint={words.tagHint(shownTag === '' ? words.tagExample : shownTag)}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        maxLength={LIMITS.orgUnitTag}
        required
        value={shownTag}
        onChange={(value) => setTag(value.replace(/^@/, ''))}
        mistake={form.mistake('tag')}
      />
      <Choices
        label={words.type}
        options={[
          { value: 'Team', label: t.types.Team, about: words.teamHint },
          { value: 'Location', label: t.types.Location, about: words.locationHint },
        ]}
        value={type}
        onChange={setType}
      />
    </FormDialog>
  )
}

/** A word that can be mentioned, made of a name. */
const tagFrom = (name: string): string =>
  name
    .trim()
    .toLowerCase()
    .replace(/[\s@]+/g, '-')
    .slice(0, LIMITS.orgUnitTag)
