import type { OrganizationSettings } from '../../contract/people/organization.ts'
import type { Config } from '../config.ts'
import { type Links, linkTarget } from '../files/links.ts'
import type { OrganizationRow } from '../queries/organizations.ts'
import { attachmentId } from './attachments.ts'

const DAY_MS = 86_400_000

export const logoLink = (links: Links, fileId: string): string =>
  links.to(linkTarget(attachmentId(fileId), 'logo'))

export function presentOrganization(
  { logoFileId, isHome, ...settings }: OrganizationRow & { agentSignup: boolean },
  { links, config }: { links: Links; config: Config },
): OrganizationSettings {
  return {
    ...settings,
    ...(logoFileId !== null && { logoUrl: logoLink(links, logoFileId) }),
    server: {
      rateLimit: config.rateLimitPerMinute,
      retentionDays: config.updatesRetentionMs / DAY_MS,
      isHome,
      mail: config.smtpUrl === undefined ? 'outbox' : 'smtp',
    },
  }
}
