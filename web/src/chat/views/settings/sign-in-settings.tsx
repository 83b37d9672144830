import type { Session } from '../../../../../contract/people/session.ts'
import Security, { Devices } from '../../../views/account/security.tsx'

export const DeviceSettings = Devices

export function SecuritySettings({ session }: { session: Session }) {
  return session.account && <Security account={session.account} />
}
