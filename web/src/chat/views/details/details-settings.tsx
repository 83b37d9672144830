import { Archive, LogOut } from 'lucide-react'
import { useState } from 'react'
import { LIMITS } from '../../../../../contract/limits.ts'
import type { ChatTopic } from '../../../../../contract/people/chat-records.ts'
import { chatPath } from '../../../api/chat.ts'
import { Button } from '../../../kit/button.tsx'
import { Switch } from '../../../kit/choice.tsx'
import { TopicMark } from '../../../kit/face.tsx'
import { Field, Select, SelectField, TextArea, TextInput } from '../../../kit/field.tsx'
import { named } from '../../../kit/name.tsx'
import { showToast } from '../../../kit/toast.tsx'
import { kit } from '../../../texts/kit.ts'
import { places } from '../../../texts/places.ts'
import { useTexts } from '../../../texts/texts.ts'
import { topic as topicTexts } from '../../../texts/topic.ts'
import { topicDetails as texts } from '../../../texts/topic-details.ts'
import type { OwnChoice, TopicChange } from '../../model.ts'
import { useChat, useChatActions } from '../../store/context.tsx'
import { useAttempt, useSubmit } from '../frame/attempt.ts'
import { useOverlay } from '../frame/overlay.ts'
import { PictureField, removePicture, sendPicture } from '../profile/picture-field.tsx'
import styles from './details.module.css'

/** One's own settings first (mute, favourite, notifications), then those of every member, then those of its creator and admins. */
export function DetailsSettings({ topic }: { topic: ChatTopic }) {
  const t = useTexts(texts)
  const h = useTexts(topicTexts)
  const actions = useChatActions()
  const attempt = useAttempt()
  const open = useOverlay()
  const isGuest = useChat(({ me }) => me?.role === 'guest')
  const setState = (choice: OwnChoice) => void attempt(() => actions.setTopicState(topic.id, choice))
  return (
    <>
      {topic.isMember && (
        <>
          <div className={styles.block}>
            <Switch
              label={t.favouriteSwitch}
              isOn={topic.favourite}
              onChange={(favourite) => setState({ favourite })}
            />
            <Switch
              label={t.muteSwitch.label}
              about={t.muteSwitch.about}
              isOn={topic.muted}
              onChange={(muted) => setState({ muted })}
            />
            <SelectField
              label={t.level.label}
              options={[
                ['everything', t.level.everything],
                ['mentions', t.level.mentions],
                ['nothing', t.level.nothing],
              ]}
              value={topic.level}
              onChange={(level) => setState({ level })}
            />
          </div>
          {!isGuest && <Words topic={topic} />}
          {topic.type === 'topic' && !isGuest && <Look topic={topic} />}
        </>
      )}
      <Rules topic={topic} />
      {topic.isMember && (
        <div className={styles.block}>
          <Button look="quiet" icon={LogOut} onClick={() => open({ kind: 'leave-topic', topicId: topic.id })}>
            {h.leave}
          </Button>
        </div>
      )}
    </>
  )
}

function Words({ topic }: { topic: ChatTopic }) {
  const t = useTexts(texts)
  const actions = useChatActions()
  const { busy, failure, submit } = useSubmit()
  const [name, setName] = useState(topic.name)
  const [description, setDescription] = useState(topic.description)
  const isSame = name.trim() === topic.name && description.trim() === topic.description
  const save = async () => {
    if (name.trim() === '' || isSame) return
    const change = { name: name.trim(), description: description.trim() }
    if (await submit(() => actions.updateTopic(topic.id, change))) showToast({ text: t.saved })
  }
  return (
    <form
      className={styles.block}
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        void save()
      }}
    >
      <Field label={t.name} mistake={name.trim() === '' ? t.nameMissing : undefined}>
        {(wiring) => (
          <TextInput
            {...wiring}
            value={name}
            maxLength={LIMITS.topicName}
            onChange={(event) => setName(event.target.value)}
          />
        )}
      </Field>
      <Field label={t.description} hint={t.descriptionHint} mistake={failure}>
        {(wiring) => (
          <TextArea
            {...wiring}
            value={description}
            maxLength={LIMITS.topicDescription}
            onChange={(event) => setDescription(event.target.value)}
          />
        )}
      </Field>
      {!isSame && (
        <div>
          <Button look="primary" submit busy={busy}>
            {t.save}
          </Button>
        </div>
      )}
    </form>
  )
}

/** The topic's cover and label, which every member may change. */
function Look({ topic }: { topic: ChatTopic }) {
  const t = useTexts(places)
  const actions = useChatActions()
  const attempt = useAttempt()
  const labels = useChat((state) => state.labels)
  const organizationId = useChat((state) => state.organizationId)
  const cover = chatPath(organizationId, `/topics/${topic.id}/cover`)
  return (
    <div className={styles.block}>
      <PictureField
        label={t.cover}
        shown={<TopicMark topic={topic} size={48} />}
        hasPicture={Boolean(topic.coverId)}
        onChoose={(file) => void attempt(() => sendPicture(cover, file))}
        onRemove={() => void attempt(() => removePicture(cover))}
      />
      {labels.size > 0 && (
        <Field label={t.label}>
          {(wiring) => (
            <Select
              {...wiring}
              value={topic.labelId ?? ''}
              onChange={({ target }) =>
                void attempt(() => actions.updateTopic(topic.id, { labelId: target.value || null }))
              }
            >
              <option value="">{t.noLabel}</option>
              {[...labels].map(([id, name]) => (
                <option key={id} value={id}>
                  {name}
                </option>
              ))}
            </Select>
          )}
        </Field>
      )}
    </div>
  )
}

function Rules({ topic }: { topic: ChatTopic }) {
  const t = useTexts(texts)
  const h = useTexts(topicTexts)
  const k = useTexts(kit)
  const actions = useChatActions()
  const attempt = useAttempt()
  const me = useChat((state) => state.me)
  const isAdmin = me?.role === 'admin' || me?.role === 'owner'
  const set = (change: TopicChange) => attempt(() => actions.updateTopic(topic.id, change))
  const setArchived = async (archived: boolean, canUndo = true) => {
    if (!(await set({ archived }))) return
    showToast({
      text: archived ? h.archived(named(topic.name)) : h.unarchived(named(topic.name)),
      ...(canUndo && { action: { label: k.undo, onAct: () => void setArchived(!archived, false) } }),
    })
  }
  const isFixed = !topic.maySet
  return (
    <div className={styles.block}>
      {topic.keepMessagesDays !== undefined && (
        <p className={styles.none}>{h.begins.kept(topic.keepMessagesDays)}</p>
      )}
      <Switch
        label={t.open.label}
        about={t.open.about}
        isOn={topic.open}
        disabled={isFixed}
        onChange={(open) => void set(open ? { open } : { open, joinedByDefault: false })}
      />
      {(isAdmin || topic.joinedByDefault) && (
        <Switch
          label={t.joined.label}
          about={t.joined.about}
          isOn={topic.joinedByDefault}
          disabled={isFixed || !isAdmin || !topic.open}
          onChange={(joinedByDefault) => void set({ joinedByDefault })}
        />
      )}
      <Switch
        label={t.writers.label}
        about={t.writers.about}
        isOn={topic.announcement}
        disabled={isFixed}
        onChange={(announcement) => void set({ announcement })}
      />
      {isFixed ? (
        <p className={styles.none}>{t.settingsOnly}</p>
      ) : (
        <div className={styles.archive}>
          <Button icon={Archive} onClick={() => void setArchived(topic.archivedAt === null)}>
            {topic.archivedAt === null ? h.archive : h.unarchive}
          </Button>
          {topic.archivedAt === null && <p className={styles.about}>{t.archiveAbout}</p>}
        </div>
      )}
    </div>
  )
}
