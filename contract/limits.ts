/** Every number that a caller can run into. Lengths are counted in Unicode code points. */
export const LIMITS = {
  signatureAgeMs: 5 * 60 * 1000,
  nonceMin: 16,
  nonceMax: 128,
  jsonBodyBytes: 1024 * 1024,
  /** Bodies of the people's API and of token requests, which are short. */
  smallBodyBytes: 16 * 1024,
  /** Body with the browser's answer about a passkey. */
  passkeyBodyBytes: 128 * 1024,
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
  /** Requests of one network for one address. */
  passwordResetsPerHour: 5,
  /** Mailed to one address; as many more from browsers in which its owner has signed in before. */
  resetMailsPerDay: 50,
  /** Failed sign-ins to one account: from one network, then from all networks together. */
  signInFailuresPerMinute: 10,
  signInFailuresEverywherePerMinute: 100,
  /** Time after signing in during which a person may add sign-in methods without signing in again. */
  freshSessionMinutes: 15,
  passkeysPerAccount: 50,
  /** Assistants that one person can have connected in one organization: a new one ends the oldest. */
  assistantsPerMember: 50,
  assistantName: 100,
  /** Lifetimes in days that a person can choose for an assistant's connection. */
  assistantDays: [1, 7, 30, 90],
  /** Length of the query with which a program opens the consent page. */
  authorizationRequest: 6000,
  redirectUri: 500,
  redirectUris: 10,
  /** Programs that one network may register, and the number that is kept. */
  clientRegistrationsPerHour: 60,
  registeredClients: 10_000,
  /** Time between the consent and the first token. */
  authorizationCodeSeconds: 60,
  assistantTokenMinutes: 15,
  recoveryCodes: 10,
  /** Time between the right password and the code. */
  secondFactorMinutes: 5,
  /** The longest life of a session, which an organization may make shorter. */
  signInDays: 180,
  /** The longest time for which an organization lets people edit own messages, if it has one: a year. */
  editMinutes: 525_600,
  /** Entries of the audit log about failed sign-ins to one account, before the rest is counted in one. */
  auditedFailuresPerHour: 10,
  /** Entries of the audit log about successful sign-ins to one account, before the rest is counted in one. */
  auditedSignInsPerHour: 100,

  /** Invitations mailed in an organization, by all its admins together. */
  invitationsPerHour: 100,
  /** Invitations of an hour that go to all who miss one; the rest of them is left for single people. */
  askedInvitationsPerHour: 80,
  /** Guests that a member who is no admin invites. */
  guestInvitationsPerHour: 20,
  /** Topics that a guest is invited to. */
  guestTopics: 20,
  /** Invitations, sign-ups and requests to join that are mailed to one address, of all organizations together. */
  mailsToAddressPerDay: 20,
  /** Mails to people who ask to join through one link. */
  joinRequestsPerHour: 100,
  /** Links of an organization that work at the same time. */
  joinLinks: 100,
  joinLinkDomains: 10,
  joinLinkDays: 365,
  joinLinkUses: 10_000,
  /** Time to confirm the address of a request to join. */
  joinRequestHours: 24,

  /** Messages, and tokens, that an admin can allow a bot in a day. */
  budgetPerDay: 1_000_000_000_000,
  tokensPerReport: 1_000_000_000,

  orgUnitName: 100,
  orgUnitTag: 64,
  groupName: 100,
  groupTag: 64,
  groupDescription: 500,
  groupMembers: 1000,
  /** Members who are added to a group, or removed from it, by one request. */
  groupMemberIds: 100,
  /** Groups of an organization, besides org units. */
  groups: 1000,
  /** People whom every member may mention at once; who may mention more is a setting of the organization. */
  mentionedFreely: 20,
  /** People whom one message can mention by `@here` and by groups. */
  mentionedPeople: 1000,
  /** Messages of one sender that mention people by `@everyone`, `@here` or a group. */
  groupMentionsPerMinute: 10,

  /** Requests of an identity provider: Entra asks for 25 a second. Those that look through all people are counted apart. */
  scimRequestsPerMinute: 1500,
  scimScansPerMinute: 60,
  /** Invitations mailed for people whom a provider adds; further ones are added without a mail. */
  scimInvitationsPerDay: 2000,
  scimBodyBytes: 2 * 1024 * 1024,
  scimPage: 200,
  /** Members on one page of groups: fewer groups come where they are large. */
  scimPageMembers: 20_000,
  scimFilter: 2000,
  scimFilterComparisons: 20,
  scimFilterDepth: 5,
  scimOperations: 1000,
  /** Addresses, or telephone numbers, of one person in a request. */
  scimValues: 100,
  scimAttributes: 200,
  scimText: 255,
  /** Hours that the former token of a service goes on after a rotation. */
  tokenOverlapHours: 168,
  /** Requests of programs that read the audit log of an organization. */
  auditRequestsPerMinute: 300,
  /** Events of the audit log on one page. */
  auditPage: 500,
  /** Destinations that get the audit log of an organization, and tests of them. */
  auditDestinations: 5,
  auditTestsPerMinute: 10,
  /** A program that checks messages: milliseconds that it has, texts in one request, characters of a reason; and tests of it. */
  messageCheckMs: 500,
  messageCheckTexts: 50,
  messageCheckReason: 300,
  messageCheckTestsPerMinute: 10,
  /** Entries that wait for a destination are counted up to this number. */
  auditWaiting: 1000,
  /** Characters of certificates in PEM: some dozen of them. */
  caCertificate: 50_000,

  topicName: 64,
  topicDescription: 10_000,
  topicMembersOnCreation: 100,
  topicsOfNewBot: 100,
  /** Direct messages that one bot may open in a minute. */
  directMessagesPerMinute: 20,
  topicExternalId: 100,
  labelName: 64,
  memberIdsPerRequest: 5,

  /** Keywords of one person that count as mentions, and the length of one. */
  keywords: 20,
  keyword: 50,
  /** The longest retention time, a hundred years; null means forever. */
  keepMessagesDays: 36_500,
  /** Blocked words of an organization, and the length of one. */
  blockedWords: 200,
  blockedWord: 50,
  /** Characters of the reason for a report, and reports of one person in an hour. */
  reportReason: 500,
  holdReason: 500,
  /** Messages on one page of a hold. */
  heldPage: 500,
  /** Characters of the reason for a reading, how long it is open, and how long it waits for another owner. */
  readingReason: 500,
  readingHours: 24,
  readingWaitDays: 7,
  reportsPerHour: 20,
  /** Browsers of one person that get push notifications. */
  pushSubscriptions: 20,

  messageText: 10_000,
  messageExternalId: 61,
  /** Messages that one member can have scheduled, failed ones among them, and how far ahead. */
  scheduledMessages: 100,
  scheduledDays: 366,
  /** Messages that one person can have saved. */
  savedMessages: 1000,
  /** Sections of their own that a person can make in the list of conversations. */
  sections: 20,
  sectionName: 40,
  /** Conversations that stand in the order that a person gave them by hand. */
  arrangedTopics: 200,
  filesPerMessage: 10,
  /** Size of the context of a message, in tokens. */
  contextTokensMin: 1000,
  contextTokensMax: 100_000,
  contextTokensDefault: 8000,
  /** English has some 4.5 bytes in a token, German 3.5, Chinese 3: an estimate that is rather too high. */
  contextBytesPerToken: 3,
  /** Messages of a thread that are looked at for a context, and as many before it. */
  contextMessages: 200,
  waveformLevels: 100,
  transcriptionInEvents: 10_000,
  /** Messages that one bot may be writing at the same time. */
  streamingMessages: 20,
  /** Appends to one message within a second. */
  appendsPerSecond: 50,

  /** Buttons, choices and forms on a message. */
  actionElements: 10,
  actionOptions: 25,
  actionFields: 10,
  actionPeople: 20,
  actionText: 75,
  actionTitle: 150,
  actionFacts: 10,
  actionFactText: 300,
  actionValue: 200,
  actionFieldValue: 2000,
  actionNumber: 1e15,
  commandFieldsBytes: 64 * 1024,
  actionNote: 500,
  actionAnswersShown: 100,
  /** Answers to a bot's buttons that its page counts. */
  countedAnswers: 10_000,
  countedAnswerDays: 30,
  countedElements: 20,
  privateAnswer: 4000,
  /** Everything that is declared on one message, as JSON: each event of it carries it. */
  actionsBytes: 16 * 1024,
  messageSteps: 30,
  messageSources: 20,
  stepTitle: 200,
  stepText: 1000,
  streamActivity: 100,
  /** JSON of steps and sources together: they reach open pages by one notification. */
  progressBytes: 6000,
  questionQuorum: 20,
  questionDays: 30,
  questionDefaultHours: 24,
  questionWaitSeconds: 30,
  /** A call of a tool waits longer than a request: it cannot be made again without a turn of the assistant. */
  toolWaitSeconds: 600,
  toolWaitDefaultSeconds: 45,
  /** Open questions of one bot, or of the assistants of one person. */
  questionsOpen: 1000,

  /** Commands of a bot, and their arguments. */
  commands: 50,
  commandArguments: 5,
  commandText: 100,

  /** Rehearsals of a bot: how far back they begin, how long a token works, and how long they are kept. */
  rehearsalName: 100,
  rehearsalDays: 7,
  rehearsalHours: 24,
  rehearsalKeptDays: 7,
  /** Rehearsals of one bot that are kept at the same time. */
  rehearsals: 10,
  /** Contents of one rehearsal. */
  rehearsalEvents: 2000,
  rehearsalSayings: 10_000,
  rehearsalBytes: 20 * 1024 * 1024,
  rehearsalStorageKeys: 200,
  rehearsalStorageBytes: 1024 * 1024,
  /** How often a rehearsal is given an event that it does not finish. */
  rehearsalTries: 20,

  /** Prompts that a bot suggests. */
  prompts: 4,
  promptText: 200,

  /**
   * Width times height, times frames for animations: the cost of decoding. The figures are for the costliest images
   * that we could make: CPU time to read the image, and peak memory to encode it again. JPEG 3.9 s and 0.7 GB
   * (progressive noise; 0.9 s if not progressive, since it shrinks while it is read), PNG 2.6 s and 0.5 GB (interlaced,
   * 16 bit), GIF 1.4 s and 0.7 GB, WebP 1.7 s and 0.7 GB, AVIF 2.9 s and 0.5 GB. A one-colour AVIF of 100 million
   * pixels, a file of 2 kB, took 4.5 s and 1.8 GB.
   */
  imagePixels: {
    jpeg: 100_000_000,
    png: 50_000_000,
    gif: 50_000_000,
    webp: 25_000_000,
    avif: 16_000_000,
  },
  /** Days ahead that Do not disturb or a status may last. */
  statusDays: 366,
  /** Length of a job title or a status text. */
  profileLine: 100,
  timeZone: 64,
  botDescription: 500,
  /** Addresses of a bot's webhook, including the first. */
  webhookAddresses: 5,
  /** Custom headers of each webhook delivery. */
  webhookHeaders: 10,
  webhookHeaderValue: 1000,
  /** Addresses of a bot that other programs post to, and what is kept of their calls. */
  incomingWebhooks: 50,
  incomingName: 100,
  incomingTemplate: 2000,
  incomingSecretMin: 8,
  incomingSecretMax: 200,
  incomingCalls: 50,
  coverSide: 4096,
  coverBytes: 8 * 1024 * 1024,
  logoSide: 4096,
  logoBytes: 5 * 1024 * 1024,
  /** Custom emoji of an organization, all of which every browser loads. */
  customEmoji: 500,
  customEmojiBytes: 1024 * 1024,

  taskTitle: 256,
  taskDescription: 10_000,
  taskExternalId: 100,

  locationName: 200,
  locationAddress: 500,
  contactLine: 200,
  /** Phone numbers of a contact, and e-mail addresses. */
  contactWays: 10,

  pollQuestion: 500,
  pollSubtitle: 1000,
  pollOptionText: 1000,
  pollOptionsMin: 2,
  pollOptionsMax: 10,
  pollOptionId: 6,

  updatesTimeoutSeconds: 30,

  /** A search: its length, its words, what `best` ranks, and names of topics and members beside the messages. */
  searchQuery: 500,
  searchWords: 20,
  searchRanked: 1000,
  searchNames: 5,

  /** Bounds of a bot's own storage. */
  storageKey: 200,
  storageKeys: 10_000,
  storageValueBytes: 64 * 1024,
  storageBytes: 10 * 1024 * 1024,
  /** Depth of nested lists and objects. */
  storageDepth: 100,
} as const

/** How many bytes the JSON of an operation may have, where small bodies may have so many. */
export function bodyBytesOf(
  { path, bodyBytes }: { path: string; bodyBytes?: number | 'small' },
  smallBodyBytes: number,
): number {
  const bytes = bodyBytes ?? (path.startsWith('/people/') ? 'small' : LIMITS.jsonBodyBytes)
  return bytes === 'small' ? smallBodyBytes : bytes
}
