import type { OrganizationSettings } from '../../contract/people/organization.ts'
import type { Config } from '../config.ts'
import { type Link, linkTarget } from '../files/links.ts'
import {
  effectiveEventRetentionDays,
  effectiveRateLimit,
  rateLimitCeiling,
  retentionDaysCeiling,
} from '../limits/organization-limits.ts'
import type { OrganizationRow } from '../queries/organization/organizations.ts'
import { attachmentId } from './attachments.ts'

export const logoLink = (link: Link, fileId: string): string => link(linkTarget(attachmentId(fileId), 'logo'))

export function presentOrganization(
  organization: OrganizationRow & { agentSignup: boolean },
  { link, config }: { link: Link; config: Config },
): OrganizationSettings {
  const { requireSecondFactor, requireSignOn, allowAssistants, fourEyes, linkPreviews, showPresence } =
    organization
  const { repliesInTopics, membersMentionMany, membersInviteGuests, membersCreateTopics } = organization
  const { signInDays, editMinutes, adminsNeedSecondFactor } = organization
  const { keepMessagesDays, keepMessagesNext, fourEyesEnd, blockedWords } = organization
  const { id, name, restrictToOrgUnits, agentSignup, logoFileId, isHome, rateLimit, retentionDays } =
    organization
  return {
    id,
    name,
    restrictToOrgUnits,
    requireSecondFactor,
    adminsNeedSecondFactor,
    requireSignOn,
    signInDays,
    allowAssistants,
    fourEyes,
    ...(fourEyesEnd && { fourEyesEndAsked: fourEyesEnd }),
    linkPreviews: linkPreviews && config.linkPreviews,
    showPresence,
    repliesInTopics,
    membersMentionMany,
    membersCreateTopics,
    membersInviteGuests,
    editMinutes,
    keepMessagesDays,
    ...(keepMessagesNext && { keepMessagesNext }),
    blockedWords,
    rateLimit: rateLimit === null ? null : effectiveRateLimit(organization, config),
    retentionDays: retentionDays === null ? null : effectiveEventRetentionDays(organization, config),
    agentSignup,
    ...(logoFileId !== null && { logoUrl: logoLink(link, logoFileId) }),
    server: {
      rateLimit: rateLimitCeiling(organization, config),
      retentionDays: retentionDaysCeiling(organization, config),
      isHome,
      linkPreviews: config.linkPreviews,
      mail: config.smtpUrl === undefined ? 'outbox' : 'smtp',
    },
  }
}
