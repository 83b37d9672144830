import { useEffect, useState } from 'react'
import type { MemberProfile, readMemberProfile } from '../../../../../contract/people/profiles.ts'
import { useChatApi } from '../frame/pages.ts'

/** The profile of a member, which says more than the list of members; undefined until it was read. */
export function useMemberProfile(memberId: string): MemberProfile | undefined {
  const api = useChatApi()
  const [profile, setProfile] = useState<MemberProfile>()
  useEffect(() => {
    let isCurrent = true
    api<typeof readMemberProfile>('GET', '/members/{memberId}', { params: { memberId } }).then(
      (read) => isCurrent && setProfile(read),
      () => {}, // what is known of the member is shown without it
    )
    return () => {
      isCurrent = false
    }
  }, [api, memberId])
  return profile?.id === memberId ? profile : undefined
}
