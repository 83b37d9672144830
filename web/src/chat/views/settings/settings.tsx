import { ArrowLeft, Bell, Languages, Laptop, ShieldCheck, SunMoon, UserRound } from 'lucide-react'
import { type ComponentType, Suspense, useEffect, useRef } from 'react'
import { Link, useLocation } from 'wouter'
import type { Session } from '../../../../../contract/people/session.ts'
import { lazyView } from '../../../api/connection.ts'
import { QueriesProvider } from '../../../api/queries.tsx'
import { Dialog } from '../../../kit/dialog.tsx'
import { Icon, type LucideIcon } from '../../../kit/icon.tsx'
import { SkeletonRows } from '../../../kit/skeleton.tsx'
import { ownSettings } from '../../../texts/own-settings.ts'
import { useTexts } from '../../../texts/texts.ts'
import { useChat } from '../../store/context.tsx'
import { SETTINGS, type SettingsSection, settingsPath } from '../addresses.ts'
import { useIsNarrow } from '../frame/narrow.ts'
import { Appearance } from './appearance.tsx'
import { LanguageChoice } from './language-choice.tsx'
import styles from './settings.module.css'

type SectionView = ComponentType<{ session: Session }>
const VIEWS: Record<SettingsSection, { icon: LucideIcon; View: SectionView }> = {
  profile: { icon: UserRound, View: lazyView(() => import('./profile-settings.tsx')) },
  appearance: { icon: SunMoon, View: Appearance },
  language: { icon: Languages, View: LanguageChoice },
  notifications: { icon: Bell, View: lazyView(() => import('./notification-settings.tsx')) },
  devices: {
    icon: Laptop,
    View: lazyView(async () => ({ default: (await import('./sign-in-settings.tsx')).DeviceSettings })),
  },
  security: {
    icon: ShieldCheck,
    View: lazyView(async () => ({ default: (await import('./sign-in-settings.tsx')).SecuritySettings })),
  },
}

/** One's own settings, over the place that they were opened from. Each section has an address; a phone shows the list first. */
export default function Settings({
  session,
  section,
  back,
}: {
  session: Session
  section: SettingsSection | undefined
  /** The address of the place below. */
  back: string
}) {
  const t = useTexts(ownSettings)
  const [, navigate] = useLocation()
  const isNarrow = useIsNarrow()
  const organizationId = useChat((state) => state.organizationId)
  const shown = section ?? (isNarrow ? undefined : 'profile')
  useDocumentTitle(shown === undefined ? t.title : `${t.sections[shown]} · ${t.title}`)
  const isListShown = !isNarrow || shown === undefined
  return (
    <Dialog title={t.title} size="whole" onClose={() => navigate(back)}>
      <div className={styles.settings}>
        {isListShown && (
          <nav className={styles.list} aria-label={t.title}>
            {SETTINGS.map((name) => (
              <Link
                key={name}
                to={settingsPath(organizationId, name)}
                aria-current={name === shown ? 'page' : undefined}
              >
                <Icon icon={VIEWS[name].icon} />
                {t.sections[name]}
              </Link>
            ))}
          </nav>
        )}
        {shown !== undefined && <Section key={shown} name={shown} session={session} hasList={isListShown} />}
      </div>
    </Dialog>
  )
}

function Section({ name, session, hasList }: { name: SettingsSection; session: Session; hasList: boolean }) {
  const t = useTexts(ownSettings)
  const organization = useChat((state) => state.organization?.name ?? '')
  const organizationId = useChat((state) => state.organizationId)
  const heading = useRef<HTMLHeadingElement>(null)
  // The list that had the focus is gone.
  useEffect(() => {
    if (!hasList) heading.current?.focus()
  }, [hasList])
  const { View } = VIEWS[name]
  const about = {
    profile: t.profileAbout(organization),
    appearance: t.appearanceAbout,
    language: t.languageAbout,
    notifications: undefined,
    devices: t.devicesAbout,
    security: t.securityAbout(session.account?.email ?? ''),
  }[name]
  return (
    <div className={styles.section}>
      <header className={styles.head}>
        {!hasList && (
          <Link to={settingsPath(organizationId)} className={styles.back} aria-label={t.back}>
            <Icon icon={ArrowLeft} />
          </Link>
        )}
        <div>
          <h2 ref={heading} tabIndex={-1}>
            {t.sections[name]}
          </h2>
          {about !== undefined && <p dir="auto">{about}</p>}
        </div>
      </header>
      <Suspense fallback={<SkeletonRows />}>
        <QueriesProvider>
          <View session={session} />
        </QueriesProvider>
      </Suspense>
    </div>
  )
}

/** The title of the page while the settings are open; the place below has its own again afterwards. */
function useDocumentTitle(title: string): void {
  useEffect(() => {
    const before = document.title
    document.title = `${title} · Parley`
    return () => {
      document.title = before
    }
  }, [title])
}
