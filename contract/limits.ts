/** Every number that a caller can run into. Lengths are counted in Unicode code points. */
export const LIMITS = {
  signatureAgeMs: 5 * 60 * 1000,
  jsonBodyBytes: 1024 * 1024,
  pageDefault: 50,
  pageMax: 100,
  idempotencyKeyLength: 255,
  idempotencyHours: 24,
  tokenFailuresPerMinute: 30,

  companyName: 100,
  botName: 100,
  industry: 100,
  email: 254,
  profileName: 100,

  passwordMin: 10,
  passwordMax: 1000,
  passwordResetMinutes: 60,
  /** For an account from one network, and from all of them. */
  signInFailuresPerMinute: 10,
  signInFailuresEverywherePerMinute: 100,
  /** How long after signing in somebody may add ways to sign in. */
  freshSessionMinutes: 15,
  passkeysPerAccount: 50,

  /** By mail, of all admins of an organization together. */
  invitationsPerHour: 100,

  orgUnitName: 100,
  orgUnitTag: 64,

  topicName: 64,
  topicDescription: 10_000,
  topicMembersOnCreation: 100,
  topicExternalId: 100,
  labelName: 64,
  memberIdsPerRequest: 5,

  messageText: 10_000,
  messageExternalId: 61,
  filesPerMessage: 10,
  transcriptionInEvents: 10_000,

  /** Width times height, and frames where it moves: what decoding may cost. */
  imagePixels: 100_000_000,
  coverSide: 4096,
  coverBytes: 8 * 1024 * 1024,
  logoBytes: 5 * 1024 * 1024,

  taskTitle: 256,
  taskDescription: 10_000,
  taskExternalId: 100,

  pollQuestion: 500,
  pollSubtitle: 1000,
  pollOptionText: 1000,
  pollOptionsMin: 2,
  pollOptionsMax: 10,
  pollOptionId: 6,

  updatesTimeoutSeconds: 30,
} as const
