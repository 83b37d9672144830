import { MapPin, User } from 'lucide-react'
import { type ReactNode, useContext } from 'react'
import { safeAddress } from '../../../../../../contract/markdown/links.ts'
import type { Message } from '../../../../../../contract/message.ts'
import { Face } from '../../../../kit/face.tsx'
import { Icon } from '../../../../kit/icon.tsx'
import { cardTexts } from '../../../../texts/chat-cards.ts'
import { LanguageContext, useTexts } from '../../../../texts/texts.ts'
import { useChat } from '../../../store/context.tsx'
import { useShell } from '../../seam.ts'
import styles from './cards.module.css'

function Plain({ mark, title, children }: { mark: ReactNode; title: ReactNode; children?: ReactNode }) {
  return (
    <div className={styles.plain}>
      {mark}
      <div className={styles.words}>
        <p className={styles.title}>{title}</p>
        {children}
      </div>
    </div>
  )
}

/** A place in words and degrees. No map is loaded from anywhere; a link leads to one. */
export function LocationCard({ location }: { location: NonNullable<Message['location']> }) {
  const t = useTexts(cardTexts)
  const language = useContext(LanguageContext)
  const [latitude, longitude] = [Number(location.latitude), Number(location.longitude)]
  const isPlace = Number.isFinite(latitude) && Number.isFinite(longitude)
  const degrees = (value: number) =>
    new Intl.NumberFormat(language, { maximumFractionDigits: 5 }).format(Math.abs(value))
  const where = [
    latitude < 0 ? t.south(degrees(latitude)) : t.north(degrees(latitude)),
    longitude < 0 ? t.west(degrees(longitude)) : t.east(degrees(longitude)),
  ].join(' ')
  const map = `https://www.openstreetmap.org/?mlat=${latitude}&mlon=${longitude}#map=16/${latitude}/${longitude}`
  return (
    <Plain
      mark={<Icon icon={MapPin} size={20} className={styles.open} />}
      title={<bdi>{location.name || location.address || t.place}</bdi>}
    >
      {location.name && location.address && (
        <p className={styles.about} dir="auto">
          {location.address}
        </p>
      )}
      {isPlace && (
        <>
          <p className={styles.about}>
            <bdi>{where}</bdi>
          </p>
          <p className={styles.links}>
            <a href={map} target="_blank" rel="noopener noreferrer">
              {t.openMap}
            </a>
            <a href={`geo:${latitude},${longitude}`} rel="noopener noreferrer">
              {t.openApp}
            </a>
          </p>
        </>
      )}
    </Plain>
  )
}

export function ContactCard({ contact }: { contact: NonNullable<Message['contact']> }) {
  const t = useTexts(cardTexts)
  const { openProfile } = useShell()
  const member = useChat((state) => state.members.get(contact.profileId))
  const profile = safeAddress(contact.linkedIn)
  const about = [contact.role, contact.location].filter((part) => part !== '')
  return (
    <Plain
      mark={
        member ? <Face member={member} size={36} /> : <Icon icon={User} size={20} className={styles.open} />
      }
      title={<bdi>{contact.name || t.contact}</bdi>}
    >
      {about.length > 0 && (
        <p className={styles.about} dir="auto">
          {about.join(', ')}
        </p>
      )}
      {contact.phoneNumbers.map((number) => (
        <p key={number} className={styles.about}>
          <a href={`tel:${encodeURIComponent(number.replace(/[^+\d]/g, ''))}`}>
            <bdi>{number}</bdi>
          </a>
        </p>
      ))}
      {contact.emails.map((email) => (
        <p key={email} className={styles.about}>
          <a href={`mailto:${encodeURIComponent(email).replace('%40', '@')}`}>
            <bdi>{email}</bdi>
          </a>
        </p>
      ))}
      {profile !== undefined && (
        <p className={styles.about}>
          <a href={profile} target="_blank" rel="noopener noreferrer">
            {contact.linkedIn}
          </a>
        </p>
      )}
      {member && (
        <p className={styles.links}>
          <button
            type="button"
            className={styles.act}
            onClick={({ currentTarget }) => openProfile(member.id, currentTarget)}
          >
            {t.showProfile}
          </button>
        </p>
      )}
    </Plain>
  )
}
