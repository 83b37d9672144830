// Generated from the contract by `npm run sdk`. Do not edit.

import type { FileInput } from './files.ts'

export type ActionAnswer = {
  /** The answer */
  id: string
  /** The person who answered */
  userId: string
  elementId: string
  /** The value of the button or of the chosen option */
  value?: string
  /** When */
  createdAt: number
}

export type ActionsInput = {
  /** The head of the card that holds the elements */
  title?: string
  /** Facts that people need for their answer, a line each */
  facts?: {
    /** The name of the fact, such as `Changes` */
    label: string
    /** The fact as plain text */
    text: string
  }[]
  /** Buttons, choices and forms, from first to last */
  elements: ({
    /** Your own id for it: 1 to 64 letters, digits and `_ . : -` */
    id: string
    /** The label of the button, choice or form */
    text: string
    style?: 'default' | 'primary' | 'danger'
    /** In place of the label: `Approved`, for "Approved by Ada Okafor" */
    doneText?: string
    /** The value that the bot gets; for buttons alone */
    value?: string
    /** Makes it a choice of these */
    options?: {
      /** The label of the option */
      text: string
      /** The value that the bot gets */
      value: string
    }[]
    /** Makes it open a form */
    fields?: ({
      /** Your own id for it: 1 to 64 letters, digits and `_ . : -` */
      id: string
      /** The label of the field */
      text: string
      /** `text` is one line, `paragraph` several */
      type?: 'text' | 'paragraph' | 'number' | 'choice' | 'date' | 'person' | 'topic'
      required?: boolean
      /** Given with `choice` */
      options?: {
        /** The label of the option */
        text: string
        /** The value that the bot gets */
        value: string
      }[]
      min?: number
      max?: number
    })[]
  })[]
  /** Who of the topic may answer; `people`: those in `people` */
  who?: 'anyone' | 'admins' | 'owners' | 'people'
  /** Given with `who` set to `people` */
  people?: string[]
  /** `once`: the first answer counts; `each`: one of each person; `always`: every press */
  use?: 'once' | 'each' | 'always'
  /** No answer is taken from then on */
  expiresAt?: number
  /** Answers stand in the audit log, with the question and the values of forms */
  approval?: boolean
}

export type Attachment = {
  /** `att_<uuid>` */
  id: string
  type: 'image' | 'file' | 'video' | 'audio'
  /** Original file name */
  name?: string
  /** Signed download link, valid for 60 minutes */
  url: string
  /** The type of the content, as the server recognized it */
  contentType: string
  /** In bytes */
  size: number
  /** The size of images, and of videos if it is known, in pixels */
  width?: number
  /** The size of images, and of videos if it is known, in pixels */
  height?: number
  /** The length of audio and video in ms, if it is known */
  duration?: number
  /** Images only: signed link to a WebP of at most 320 by 320 pixels */
  thumbnailUrl?: string
  /** Voice messages whose sender gave it: how loud it is, in steps of the same length */
  waveform?: number[]
  /** Voice messages only */
  transcription?: {
    status: 'Pending' | 'Done' | 'Failed'
    /** Present when `Done` */
    text?: string
    /** Given with `Failed` if the server has no engine */
    reason?: 'no_engine'
  }
}

export type Call = {
  id: string
  /** A person (`<uuid>`) or a bot (`b@<uuid>`) */
  initiatorId: string
  callType: string
  status: string
  /** Begin */
  startedAt: number
  /** End */
  endedAt: number
  endReason: string
  /** In ms */
  duration: number
  participantCount: number
}

export type Contact = {
  name: string
  phoneNumbers: string[]
  emails: string[]
  role: string
  location: string
  linkedIn: string
  profileId: string
}

export type Location = {
  latitude: string
  longitude: string
  name?: string
  address?: string
}

export type Mention = {
  /** A person (`<uuid>`) or a bot (`b@<uuid>`) */
  id: string
  name: string
}

export type MessagePoll = {
  /** The poll */
  id: string
  title: string
  subtitle?: string
  selectionType: 'single' | 'multiple'
  anonymous: boolean
  status: 'active' | 'closed'
  /** When it stops taking votes */
  expiresAt?: number
  options: {
    id: string
    text: string
  }[]
}

export type MessageTask = {
  /** The task */
  id: string
  action: 'Added' | 'Updated' | 'Deleted' | 'MarkedAsDone' | 'MarkedAsOpened' | 'Replied'
  title: string
  /** The description of the task */
  text: string
  status: 'Open' | 'Done'
  /** Profile id; empty when unassigned */
  assignee: string
  /** Unix time in ms; 0 when unset */
  dueDate: number
  isDueDateTimeSelected: boolean
  /** Empty unless it is part of another task */
  parentId: string
  subItemsCount: number
}

export type ReactionCount = {
  emoji: string
  count: number
  /** Given only with `includeReactionUsers=true` */
  userIds?: string[]
}

export type StreamState = {
  /** `streaming`: still being written, seen by people alone; `stopped` by a person; `failed`: given up by the bot; `interrupted`: the bot fell silent */
  status: 'streaming' | 'stopped' | 'failed' | 'interrupted'
  /** The present activity of the bot, while it is `streaming` */
  activity?: string
  /** The person who stopped it, given with `stopped` */
  stoppedBy?: string
}

export type MessageActions = {
  /** The id of this question, which changes when the bot asks another or changes the text */
  id: string
  /** SHA-256 of the text and of what can be answered, in hex; an answer says with it what was seen */
  hash: string
  title?: string
  facts?: {
    label: string
    text: string
  }[]
  /** The elements as declared */
  elements: ({
    id: string
    text: string
    style?: 'default' | 'primary' | 'danger'
    doneText?: string
    value?: string
    options?: {
      text: string
      value: string
    }[]
    fields?: ({
      id: string
      text: string
      type?: 'text' | 'paragraph' | 'number' | 'choice' | 'date' | 'person' | 'topic'
      required?: boolean
      options?: {
        text: string
        value: string
      }[]
      min?: number
      max?: number
    })[]
  })[]
  who: 'anyone' | 'admins' | 'owners' | 'people'
  people?: string[]
  /** `once`: the first answer counts; `each`: one of each person; `always`: every press */
  use: 'once' | 'each' | 'always'
  /** No answer is taken from then on */
  expiresAt?: number
  approval: boolean
  /** The first 100; of `always` none */
  answers: ActionAnswer[]
  question?: {
    /** The question, for `readQuestion` */
    id: string
    /** The number of people who must give the same answer */
    quorum: number
    /** Elements that end it as soon as one person answers with them */
    decisive?: string[]
    /** The element that counts if the time is over without an answer */
    otherwise?: string
  }
  outcome?: {
    status: 'answered' | 'expired' | 'withdrawn'
    /** What counts */
    elementId?: string
    /** The value of it */
    value?: string
    /** When */
    closedAt: number
  }
}

export type MessageStep = {
  /** Your own id for it */
  id: string
  /** The task, in a few words */
  title: string
  status: 'pending' | 'in_progress' | 'done' | 'failed'
  /** Background of the step, shown when it is opened */
  details?: string
  /** Result of the step, shown when it is opened */
  output?: string
}

export type MessageSource = {
  title: string
  /** The address of the source: http or https */
  url?: string
  /** The words that matter */
  quote?: string
}

export type Message = {
  /** The message */
  id: string
  /** Its topic */
  topicId: string
  /** A person (`<uuid>`) or a bot (`b@<uuid>`) */
  senderId: string
  senderName: string
  senderType: 'user' | 'bot'
  type: 'text' | 'image' | 'file' | 'video' | 'audio' | 'location' | 'task' | 'contact' | 'poll' | 'call'
  /** Mentions stand in it as `<@profileId>`, `<@everyone>`, `<@here>` and `<@tag>` of a group */
  text: string
  /** When it was sent */
  createdAt: number
  /** When it last changed */
  updatedAt: number
  isEdited: boolean
  isSystem: boolean
  /** A text was cut at 10000 code points */
  truncated: boolean
  /** On messages with files that appeared after newer ones: their place in the order of appearance */
  appearedId?: string
  /** On replies: the message that is replied to */
  parentId?: string
  /** The id that the sender gave it */
  externalId?: string
  poll?: MessagePoll
  task?: MessageTask
  call?: Call
  location?: Location
  contact?: Contact
  forwarded?: {
    /** The message that was forwarded */
    messageId: string
    /** The topic of the original; 404 to callers who may not see it */
    topicId: string
    /** The sender of the forwarded message */
    senderId: string
    senderName: string
    senderType: 'user' | 'bot'
    /** The type of the forwarded message; a forwarded `poll` or `task` is shown by its title */
    type: 'text' | 'image' | 'file' | 'video' | 'audio' | 'location' | 'task' | 'contact' | 'poll' | 'call'
    /** The text at the time of forwarding, with names in place of mentions; the title of a poll or a task */
    text: string
    /** When the forwarded message was sent */
    createdAt: number
  }
  preview?: {
    /** The address of the page */
    url: string
    title: string
    description?: string
    siteName?: string
    /** The picture: `att_<uuid>` */
    imageId?: string
    /** A signed link to a WebP, valid for 60 minutes, given with `imageId` */
    thumbnailUrl?: string
    /** The size of the picture, in pixels */
    width?: number
    /** The size of the picture, in pixels */
    height?: number
  }
  stream?: StreamState
  /** Steps of the bot’s work, from first to last */
  steps?: MessageStep[]
  /** Sources of the text; the first is number 1 */
  sources?: MessageSource[]
  actions?: MessageActions
  /** Whom the text mentions by `<@everyone>`, `<@here>` and `<@tag>`, besides `mentions` */
  groupMentions?: {
    /** `<@everyone>`: all people of the topic */
    everyone?: true
    /** `<@here>`: people of the topic who were present */
    here?: true
    /** Groups and org units; their members who are in the topic are mentioned */
    groups?: {
      /** The group or org unit */
      id: string
      /** The tag when the message was sent: the text has `<@tag>` */
      tag: string
    }[]
  }
  /** The assistant that wrote this for the person, if one did */
  assistant?: {
    /** The name of the assistant, as it gave itself */
    name: string
  }
  /** Attachment ids */
  attachments: string[]
  /** On messages with files */
  attachmentDetails?: Attachment[]
  mentions: string[]
  mentionDetails: Mention[]
  reactions: ReactionCount[]
  /** The number of replies */
  replyCount: number
  /** Equal to `id`; given where a message is read by its id */
  messageId?: string
  /** Equal to `topicId`; given where a message is read by its id */
  channelId?: string
}

export type EventMessage = {
  /** The message */
  id: string
  /** Its topic */
  topicId: string
  /** A person (`<uuid>`) or a bot (`b@<uuid>`) */
  senderId: string
  senderName: string
  senderType: 'user' | 'bot'
  type: 'text' | 'image' | 'file' | 'video' | 'audio' | 'location' | 'task' | 'contact' | 'poll' | 'call'
  /** Mentions stand in it as `<@profileId>`, `<@everyone>`, `<@here>` and `<@tag>` of a group */
  text: string
  /** When it was sent */
  createdAt: number
  /** When it last changed */
  updatedAt: number
  isEdited: boolean
  isSystem: boolean
  /** A text was cut at 10000 code points */
  truncated: boolean
  /** On messages with files that appeared after newer ones: their place in the order of appearance */
  appearedId?: string
  /** On replies: the message that is replied to */
  parentId?: string
  /** The id that the sender gave it */
  externalId?: string
  poll?: MessagePoll
  task?: MessageTask
  call?: Call
  location?: Location
  contact?: Contact
  forwarded?: {
    /** The message that was forwarded */
    messageId: string
    /** The topic of the original; 404 to callers who may not see it */
    topicId: string
    /** The sender of the forwarded message */
    senderId: string
    senderName: string
    senderType: 'user' | 'bot'
    /** The type of the forwarded message; a forwarded `poll` or `task` is shown by its title */
    type: 'text' | 'image' | 'file' | 'video' | 'audio' | 'location' | 'task' | 'contact' | 'poll' | 'call'
    /** The text at the time of forwarding, with names in place of mentions; the title of a poll or a task */
    text: string
    /** When the forwarded message was sent */
    createdAt: number
  }
  preview?: {
    /** The address of the page */
    url: string
    title: string
    description?: string
    siteName?: string
    /** The picture: `att_<uuid>` */
    imageId?: string
    /** A signed link to a WebP, valid for 60 minutes, given with `imageId` */
    thumbnailUrl?: string
    /** The size of the picture, in pixels */
    width?: number
    /** The size of the picture, in pixels */
    height?: number
  }
  stream?: StreamState
  /** Steps of the bot’s work, from first to last */
  steps?: MessageStep[]
  /** Sources of the text; the first is number 1 */
  sources?: MessageSource[]
  actions?: MessageActions
  /** Whom the text mentions by `<@everyone>`, `<@here>` and `<@tag>`, besides `mentions` */
  groupMentions?: {
    /** `<@everyone>`: all people of the topic */
    everyone?: true
    /** `<@here>`: people of the topic who were present */
    here?: true
    /** Groups and org units; their members who are in the topic are mentioned */
    groups?: {
      /** The group or org unit */
      id: string
      /** The tag when the message was sent: the text has `<@tag>` */
      tag: string
    }[]
  }
  /** The assistant that wrote this for the person, if one did */
  assistant?: {
    /** The name of the assistant, as it gave itself */
    name: string
  }
  attachments: Attachment[]
  mentions: Mention[]
  mentionedProfiles: string[]
  reactions: ReactionCount[]
}

export type ContextMessage = {
  /** The message */
  id: string
  /** On replies: the message that is replied to */
  parentId?: string
  /** A person (`<uuid>`) or a bot (`b@<uuid>`) */
  senderId: string
  senderName: string
  /** When it was sent */
  createdAt: number
  /** The content in words, with names in place of mentions; polls, tasks and places too */
  text: string
  /** True where `text` was cut to fit */
  truncated?: boolean
  /** On messages with files */
  files?: {
    /** `att_<uuid>` */
    id: string
    /** Original file name */
    name?: string
    contentType: string
    /** The text inside the file, or what a voice message says */
    text?: string
    /** True where `text` was cut to fit */
    truncated?: boolean
    /** True while the server has not read the file yet */
    pending?: boolean
  }[]
}

export type TopicContext = {
  /** Given to callers who may read topics (`channel:read`) */
  topic?: {
    /** The topic */
    id: string
    name: string
    /** Empty when there is none */
    description: string
    type: 'topic' | 'dm'
  }
  /** The message that began the thread of `message`, if it is in one */
  threadId?: string
  /** The oldest first */
  messages: ContextMessage[]
  /** The senders of these messages, and the members mentioned in them */
  people: ({
    /** A person (`<uuid>`) or a bot (`b@<uuid>`) */
    id: string
    name: string
    type: 'user' | 'bot'
  })[]
  /** The estimated size of this answer */
  tokens: number
  /** Whether messages were left out */
  hasMore: boolean
}

export type Topic = {
  /** The topic */
  id: string
  /** A direct message has the names of the others */
  name: string
  /** Empty when there is none */
  description: string
  type: 'topic' | 'dm'
  /** `announcement`: only admins and bots write there */
  properties: 'announcement'[]
  /** At most one */
  labels: string[]
  /** `<bot_id>:<your_external_id>` */
  externalId?: string
  /** Signed link to the cover image */
  coverUrl?: string
  /** True where every person of the organization can join it */
  open?: boolean
  /** When it was archived; missing if it is not archived */
  archivedAt?: number
  /** When it was created */
  createdAt: number
  /** When it last changed */
  updatedAt: number
  memberIds: string[]
}

export type TopicListItem = {
  /** The topic */
  id: string
  /** A direct message has the names of the others */
  name: string
  /** Empty when there is none */
  description: string
  type: 'topic' | 'dm'
  /** `announcement`: only admins and bots write there */
  properties: 'announcement'[]
  /** At most one */
  labels: string[]
  /** `<bot_id>:<your_external_id>` */
  externalId?: string
  /** Signed link to the cover image */
  coverUrl?: string
  /** True where every person of the organization can join it */
  open?: boolean
  /** When it was archived; missing if it is not archived */
  archivedAt?: number
  /** When it was created */
  createdAt: number
  /** When it last changed */
  updatedAt: number
  members: string[]
}

export type Label = {
  /** The label */
  id: string
  name: string
}

export type Reaction = {
  /** The reaction */
  id: string
  /** The message */
  messageId: string
  /** The emoji */
  reaction: string
  /** When it was added */
  createdAt: number
}

export type Task = {
  /** The task */
  id: string
  /** Its topic */
  topicId: string
  title: string
  /** Empty when there is none */
  description: string
  status: 'Open' | 'Done'
  /** Profile id; empty when unassigned */
  assignee: string
  /** Unix time in ms; 0 when unset */
  dueDate: number
  /** True exactly when `dueDate` is set */
  isDueDateTimeSelected: boolean
  /** Its number in the topic, from 0 */
  index: number
  /** The task that it is part of */
  parentId?: string
  /** The number of its parts */
  subItemsCount: number
  /** As given on creation */
  externalId?: string
  /** When it was created */
  createdAt: number
  /** When it last changed */
  updatedAt: number
}

export type Poll = {
  /** The poll */
  id: string
  /** Its topic */
  topicId: string
  question: string
  subtitle?: string
  options: {
    /** 6 lowercase letters and digits */
    id: string
    text: string
  }[]
  selectionType: 'single' | 'multiple'
  anonymous: boolean
  status: 'active' | 'closed'
  /** When it stops taking votes */
  expiresAt?: number
  /** When it was created */
  createdAt: number
}

export type PollVote = {
  /** `<attachmentId>_<optionId>_<voterProfileId>` */
  id: string
  /** The poll */
  attachmentId: string
  optionId: string
  /** When the vote was cast */
  createdAt: number
}

export type Member = {
  /** A person (`<uuid>`) or a bot (`b@<uuid>`) */
  id: string
  type: 'user' | 'bot'
  name: string
  /** Empty for bots */
  email: string
  /** May be empty */
  phone: string
  /** Set by the integration */
  externalId?: string
  /** A guest: they see their own topics alone, and the members of those */
  guest?: true
  status: 'Pending' | 'Active' | 'Deleted' | 'Archived'
  /** When the profile was made */
  createdAt: number
  /** When it last changed */
  updatedAt: number
}

export type OrgUnit = {
  /** The org unit */
  id: string
  name: string
  /** Unique in the organization; mentioned as `@tag` */
  tag: string
  type: 'Team' | 'Location'
  memberIds: string[]
  /** When it was created */
  createdAt: number
  /** When it last changed */
  updatedAt: number
}

export type Question = {
  /** The question */
  id: string
  /** The message that shows it */
  messageId: string
  /** The topic */
  topicId: string
  /** `answered`: enough people gave the same answer; `expired`: its time was over, and `otherwise` counts; `withdrawn`: the message was deleted, or asks something else */
  status: 'open' | 'answered' | 'expired' | 'withdrawn'
  /** The element that counts: the answer, or `otherwise` of a question that expired */
  elementId?: string
  /** The value of it */
  value?: string
  /** Contents of the form, of the answer that decided */
  values?: Record<string, string>
  quorum: number
  /** Answers stand in the audit log of the organization */
  approval: boolean
  /** The first 100 answers, from first to last */
  answers: {
    /** The person who answered */
    userId: string
    userName: string
    /** The button, choice or form */
    elementId: string
    /** The value of the button or of the chosen option */
    value?: string
    /** The values of a form, by the id of the field */
    values?: Record<string, string>
    /** When */
    createdAt: number
  }[]
  /** No answer is taken from then on */
  expiresAt: number
  /** When it was asked */
  createdAt: number
  /** When it was answered, expired or was withdrawn */
  closedAt?: number
}

export type StorageEntry = {
  key: string
  /** Grows with each change; no two values of a bot ever had the same one */
  version: number
  /** The size of the value, as JSON in UTF-8 */
  bytes: number
  /** When it was written last */
  updatedAt: number
}

export type StoredValue = {
  key: string
  /** Grows with each change; no two values of a bot ever had the same one */
  version: number
  /** The size of the value, as JSON in UTF-8 */
  bytes: number
  /** When it was written last */
  updatedAt: number
  /** Any JSON */
  value: unknown
}

export type MessageCreated = {
  message: EventMessage
  /** A text in the payload was cut at 10000 code points */
  truncated: boolean
}

export type MessageUpdated = {
  message: {
    /** The message */
    id: string
    /** Its topic */
    topicId: string
    /** A person (`<uuid>`) or a bot (`b@<uuid>`) */
    senderId: string
    senderName: string
    senderType: 'user' | 'bot'
    type: 'text' | 'image' | 'file' | 'video' | 'audio' | 'location' | 'task' | 'contact' | 'poll' | 'call'
    /** Mentions stand in it as `<@profileId>`, `<@everyone>`, `<@here>` and `<@tag>` of a group */
    text: string
    /** When it was sent */
    createdAt: number
    /** When it last changed */
    updatedAt: number
    isEdited: boolean
    isSystem: boolean
    /** A text was cut at 10000 code points */
    truncated: boolean
    /** On messages with files that appeared after newer ones: their place in the order of appearance */
    appearedId?: string
    /** On replies: the message that is replied to */
    parentId?: string
    /** The id that the sender gave it */
    externalId?: string
    poll?: MessagePoll
    task?: MessageTask
    call?: Call
    location?: Location
    contact?: Contact
    forwarded?: {
      /** The message that was forwarded */
      messageId: string
      /** The topic of the original; 404 to callers who may not see it */
      topicId: string
      /** The sender of the forwarded message */
      senderId: string
      senderName: string
      senderType: 'user' | 'bot'
      /** The type of the forwarded message; a forwarded `poll` or `task` is shown by its title */
      type: 'text' | 'image' | 'file' | 'video' | 'audio' | 'location' | 'task' | 'contact' | 'poll' | 'call'
      /** The text at the time of forwarding, with names in place of mentions; the title of a poll or a task */
      text: string
      /** When the forwarded message was sent */
      createdAt: number
    }
    preview?: {
      /** The address of the page */
      url: string
      title: string
      description?: string
      siteName?: string
      /** The picture: `att_<uuid>` */
      imageId?: string
      /** A signed link to a WebP, valid for 60 minutes, given with `imageId` */
      thumbnailUrl?: string
      /** The size of the picture, in pixels */
      width?: number
      /** The size of the picture, in pixels */
      height?: number
    }
    stream?: StreamState
    /** Steps of the bot’s work, from first to last */
    steps?: MessageStep[]
    /** Sources of the text; the first is number 1 */
    sources?: MessageSource[]
    actions?: MessageActions
    /** Whom the text mentions by `<@everyone>`, `<@here>` and `<@tag>`, besides `mentions` */
    groupMentions?: {
      /** `<@everyone>`: all people of the topic */
      everyone?: true
      /** `<@here>`: people of the topic who were present */
      here?: true
      /** Groups and org units; their members who are in the topic are mentioned */
      groups?: {
        /** The group or org unit */
        id: string
        /** The tag when the message was sent: the text has `<@tag>` */
        tag: string
      }[]
    }
    /** The assistant that wrote this for the person, if one did */
    assistant?: {
      /** The name of the assistant, as it gave itself */
      name: string
    }
    attachments: Attachment[]
    mentions: Mention[]
    mentionedProfiles: string[]
    reactions: ReactionCount[]
    /** The text before the edit, for bots alone; gone once it is edited again or deleted */
    previousText?: string
    /** Members whom the former text mentioned, in place of `previousText` if that is gone */
    previousMentions?: string[]
  }
  /** A text in the payload was cut at 10000 code points */
  truncated: boolean
  /** Names of the fields that changed */
  updatedFields: string[]
}

export type MessageDeleted = {
  /** The message */
  messageId: string
  /** The topic */
  topicId: string
  /** When it was deleted */
  deletedAt: number
  /** A person (`<uuid>`) or a bot (`b@<uuid>`) */
  deletedBy: string
  message: {
    /** The message */
    id: string
    /** The topic */
    topicId: string
    /** A person (`<uuid>`) or a bot (`b@<uuid>`) */
    senderId: string
  }
  /** `retention`: its time was over; `erasure`: the data of its sender was deleted. `deletedBy` is the sender. Missing if a member deleted it */
  reason?: 'retention' | 'erasure'
  /** All messages of the topic that were deleted together, the oldest first; given with `reason`. `message` is the first of them */
  messages?: {
    /** The message */
    id: string
    /** The topic */
    topicId: string
    /** A person (`<uuid>`) or a bot (`b@<uuid>`) */
    senderId: string
  }[]
}

export type ReactionEvent = {
  /** The message */
  messageId: string
  /** The topic */
  topicId: string
  emoji: string
  /** Who reacted */
  userId: string
  /** The reaction */
  reactionId: string
  /** When it happened */
  createdAt: number
  reaction: {
    /** The reaction */
    id: string
    /** The message */
    messageId: string
    /** The topic */
    topicId: string
    /** Who reacted */
    userId: string
    emoji: string
  }
}

export type MembersEvent = {
  /** The topic */
  topicId: string
  memberIds: string[]
  /** The member, if it is only one */
  memberId?: string
  /** The kind of the member, if it is only one */
  memberType?: 'user' | 'bot'
  /** Who did it */
  actorId: string
  /** When it happened */
  createdAt: number
}

export type TopicUpdated = {
  /** The topic */
  topicId: string
  name?: string
  description?: string
  /** Every person of the organization can join it */
  open?: boolean
  /** New people are in it from the start */
  joinedByDefault?: boolean
  /** Only admins and bots write there */
  announcement?: boolean
  /** The topic takes no more messages */
  archived?: boolean
  labelId?: string | null
  /** Who did it */
  actorId: string
  /** The new value of each field that changed */
  changes: {
    name?: string
    description?: string
    /** Every person of the organization can join it */
    open?: boolean
    /** New people are in it from the start */
    joinedByDefault?: boolean
    /** Only admins and bots write there */
    announcement?: boolean
    /** The topic takes no more messages */
    archived?: boolean
    labelId?: string | null
  }
}

export type PollVoteEvent = {
  pollVoteId: string
  attachmentId: string
  /** The message */
  messageId: string
  /** The topic */
  topicId: string
  optionId: string
  /** Who voted */
  voterId: string
  /** When it happened */
  createdAt: number
}

export type MessageActionEvent = {
  /** The answer */
  actionId: string
  /** The message */
  messageId: string
  /** The topic */
  topicId: string
  /** Who answered */
  userId: string
  /** The name at that time */
  userName: string
  /** The button, choice or form */
  elementId: string
  /** The value of the button or of the chosen option */
  value?: string
  /** The values of a form, by the id of the field */
  values?: Record<string, string>
  /** When it happened */
  createdAt: number
}

export type QuestionClosedEvent = {
  /** The question */
  questionId: string
  /** The message */
  messageId: string
  /** The topic */
  topicId: string
  status: 'answered' | 'expired' | 'withdrawn'
  /** What counts */
  elementId?: string
  /** The value of it */
  value?: string
  /** When */
  closedAt: number
  /** When it happened */
  createdAt: number
}

export type MessageCommandEvent = {
  /** The message */
  messageId: string
  /** The topic */
  topicId: string
  /** The message that it replies to, in a thread */
  parentId?: string
  /** The person who answered */
  userId: string
  /** The name at that time */
  userName: string
  /** The command, without `/` */
  name: string
  /** The arguments by their names, or the values of the form by the ids of its fields; those left out are missing */
  arguments: Record<string, string>
  /** All that was written after the command */
  text: string
  /** When it happened */
  createdAt: number
}

export type ScheduledMessageFailedEvent = {
  /** The scheduled message */
  scheduledMessageId: string
  /** The topic */
  topicId: string
  /** Your own id for it */
  externalId?: string
  /** The refusal that sending it got */
  reason: string
  /** When it happened */
  createdAt: number
}

export type Update = {
  /** `evt_<uuid>`; also a valid `offset` */
  updateId: string
  eventType: 'message.created'
  /** When the change was committed */
  createdAt: number
  data: MessageCreated
} | {
  /** `evt_<uuid>`; also a valid `offset` */
  updateId: string
  eventType: 'message.updated'
  /** When the change was committed */
  createdAt: number
  data: MessageUpdated
} | {
  /** `evt_<uuid>`; also a valid `offset` */
  updateId: string
  eventType: 'message.deleted'
  /** When the change was committed */
  createdAt: number
  data: MessageDeleted
} | {
  /** `evt_<uuid>`; also a valid `offset` */
  updateId: string
  eventType: 'reaction.added'
  /** When the change was committed */
  createdAt: number
  data: ReactionEvent
} | {
  /** `evt_<uuid>`; also a valid `offset` */
  updateId: string
  eventType: 'reaction.removed'
  /** When the change was committed */
  createdAt: number
  data: ReactionEvent
} | {
  /** `evt_<uuid>`; also a valid `offset` */
  updateId: string
  eventType: 'member.added'
  /** When the change was committed */
  createdAt: number
  data: MembersEvent
} | {
  /** `evt_<uuid>`; also a valid `offset` */
  updateId: string
  eventType: 'member.removed'
  /** When the change was committed */
  createdAt: number
  data: MembersEvent
} | {
  /** `evt_<uuid>`; also a valid `offset` */
  updateId: string
  eventType: 'topic.updated'
  /** When the change was committed */
  createdAt: number
  data: TopicUpdated
} | {
  /** `evt_<uuid>`; also a valid `offset` */
  updateId: string
  eventType: 'poll_vote.created'
  /** When the change was committed */
  createdAt: number
  data: PollVoteEvent
} | {
  /** `evt_<uuid>`; also a valid `offset` */
  updateId: string
  eventType: 'poll_vote.deleted'
  /** When the change was committed */
  createdAt: number
  data: PollVoteEvent
} | {
  /** `evt_<uuid>`; also a valid `offset` */
  updateId: string
  eventType: 'message.action'
  /** When the change was committed */
  createdAt: number
  data: MessageActionEvent
} | {
  /** `evt_<uuid>`; also a valid `offset` */
  updateId: string
  eventType: 'question.closed'
  /** When the change was committed */
  createdAt: number
  data: QuestionClosedEvent
} | {
  /** `evt_<uuid>`; also a valid `offset` */
  updateId: string
  eventType: 'message.command'
  /** When the change was committed */
  createdAt: number
  data: MessageCommandEvent
} | {
  /** `evt_<uuid>`; also a valid `offset` */
  updateId: string
  eventType: 'scheduled_message.failed'
  /** When the change was committed */
  createdAt: number
  data: ScheduledMessageFailedEvent
}

export type WebhookEvent = {
  /** `evt_<uuid>`; the same in every delivery mode and every retry */
  id: string
  type: 'message.created'
  eventVersion: 1
  /** When the change was committed */
  timestamp: number
  data: MessageCreated
} | {
  /** `evt_<uuid>`; the same in every delivery mode and every retry */
  id: string
  type: 'message.updated'
  eventVersion: 1
  /** When the change was committed */
  timestamp: number
  data: MessageUpdated
} | {
  /** `evt_<uuid>`; the same in every delivery mode and every retry */
  id: string
  type: 'message.deleted'
  eventVersion: 1
  /** When the change was committed */
  timestamp: number
  data: MessageDeleted
} | {
  /** `evt_<uuid>`; the same in every delivery mode and every retry */
  id: string
  type: 'reaction.added'
  eventVersion: 1
  /** When the change was committed */
  timestamp: number
  data: ReactionEvent
} | {
  /** `evt_<uuid>`; the same in every delivery mode and every retry */
  id: string
  type: 'reaction.removed'
  eventVersion: 1
  /** When the change was committed */
  timestamp: number
  data: ReactionEvent
} | {
  /** `evt_<uuid>`; the same in every delivery mode and every retry */
  id: string
  type: 'member.added'
  eventVersion: 1
  /** When the change was committed */
  timestamp: number
  data: MembersEvent
} | {
  /** `evt_<uuid>`; the same in every delivery mode and every retry */
  id: string
  type: 'member.removed'
  eventVersion: 1
  /** When the change was committed */
  timestamp: number
  data: MembersEvent
} | {
  /** `evt_<uuid>`; the same in every delivery mode and every retry */
  id: string
  type: 'topic.updated'
  eventVersion: 1
  /** When the change was committed */
  timestamp: number
  data: TopicUpdated
} | {
  /** `evt_<uuid>`; the same in every delivery mode and every retry */
  id: string
  type: 'poll_vote.created'
  eventVersion: 1
  /** When the change was committed */
  timestamp: number
  data: PollVoteEvent
} | {
  /** `evt_<uuid>`; the same in every delivery mode and every retry */
  id: string
  type: 'poll_vote.deleted'
  eventVersion: 1
  /** When the change was committed */
  timestamp: number
  data: PollVoteEvent
} | {
  /** `evt_<uuid>`; the same in every delivery mode and every retry */
  id: string
  type: 'message.action'
  eventVersion: 1
  /** When the change was committed */
  timestamp: number
  data: MessageActionEvent
} | {
  /** `evt_<uuid>`; the same in every delivery mode and every retry */
  id: string
  type: 'question.closed'
  eventVersion: 1
  /** When the change was committed */
  timestamp: number
  data: QuestionClosedEvent
} | {
  /** `evt_<uuid>`; the same in every delivery mode and every retry */
  id: string
  type: 'message.command'
  eventVersion: 1
  /** When the change was committed */
  timestamp: number
  data: MessageCommandEvent
} | {
  /** `evt_<uuid>`; the same in every delivery mode and every retry */
  id: string
  type: 'scheduled_message.failed'
  eventVersion: 1
  /** When the change was committed */
  timestamp: number
  data: ScheduledMessageFailedEvent
}

export type Operations = {
  /** Receive events by long polling */
  readUpdates: {
    input: {
      query?: {
        /** `nextOffset` of the answer before, an `updateId`, `oldest` for everything that is kept, or `newest` for what comes from now on */
        offset?: string
        /** Given by a bot that reads ahead of what it has finished: everything up to this `nextOffset` or `updateId` is confirmed, or `nothing`, and not what is before `offset` */
        confirm?: string
        /** Events at most */
        limit?: number
        /** Seconds to wait when there is nothing */
        timeout?: number
      }
    }
    answer: {
      updates: Update[]
      nextOffset: string
    }
  }
  /** List the topics of the bot */
  listTopics: {
    input: {
      query?: {
        /** Items per page */
        limit?: number
        /** `nextCursor` of the page before */
        cursor?: string
      }
    }
    answer: {
      topics: TopicListItem[]
      nextCursor?: string
      hasMore: boolean
    }
  }
  /** Read a topic */
  readTopic: {
    input: {
      params: {
        /** The topic */
        topicId: string
      }
    }
    answer: Topic
  }
  /** Read a topic by its external id */
  readTopicByExternalId: {
    input: {
      params: {
        /** Short or qualified, percent-encoded */
        externalId: string
      }
    }
    answer: Topic
  }
  /** Create a topic */
  createTopic: {
    input: {
      body: {
        /** Name of the topic */
        name: string
        /** Profile ids besides the bot; may be empty */
        members: string[]
        /** A sentence about the topic */
        description?: string
        /** Your own id for it, unique for this bot; no control characters */
        externalId?: string
      }
    }
    upload: {
      form: {
        /** Name of the topic */
        name: string
        /** Profile ids besides the bot; may be empty */
        members: string[]
        /** A sentence about the topic */
        description?: string
        /** Your own id for it, unique for this bot; no control characters */
        externalId?: string
      }
      files: FileInput[]
    }
    answer: {
      /** The topic */
      id: string
      name: string
      members: string[]
      /** Qualified; only if one was given */
      externalId?: string
      /** When it was created */
      createdAt: number
    }
  }
  /** Open a direct message with a person */
  startDirectMessage: {
    input: {
      body: {
        /** A person who shares a topic with the bot */
        memberId: string
      }
    }
    answer: Topic
  }
  /** Rename or describe a topic */
  updateTopic: {
    input: {
      params: {
        /** The topic */
        topicId: string
      }
      body?: {
        /** Name of the topic */
        name?: string
        /** A sentence about the topic */
        description?: string
      }
    }
    answer: Topic
  }
  /** Add members to a topic */
  addTopicMembers: {
    input: {
      params: {
        /** The topic */
        topicId: string
      }
      body: {
        /** Profile ids, 1 to 5; duplicates are removed */
        memberIds: string[]
        /** Events that bots get from the topic. `everything`; `threads`: messages that mention them, and replies in threads that they wrote in; `mentions`: messages that mention them; `commands`: only their commands, and answers to their buttons. People are not affected */
        reach?: 'everything' | 'threads' | 'mentions' | 'commands'
      }
    }
    answer: {
      /** The topic */
      id: string
      /** All current members */
      memberIds: string[]
      /** When it last changed */
      updatedAt: number
    }
  }
  /** Remove members from a topic */
  removeTopicMembers: {
    input: {
      params: {
        /** The topic */
        topicId: string
      }
      body: {
        /** Profile ids, 1 to 5; duplicates are removed */
        memberIds: string[]
      }
    }
    answer: {
      /** The topic */
      id: string
      /** All current members */
      memberIds: string[]
      /** When it last changed */
      updatedAt: number
    }
  }
  /** Create a label of the organization */
  createLabel: {
    input: {
      body: {
        /** Name of the label */
        name: string
      }
    }
    answer: Label
  }
  /** List the labels of the organization */
  listLabels: {
    input: {}
    answer: {
      labels: Label[]
    }
  }
  /** Put a label on a topic */
  addTopicLabel: {
    input: {
      params: {
        /** The topic */
        topicId: string
      }
      body: {
        /** A label of the organization */
        labelId: string
      }
    }
    answer: {
      /** The topic */
      id: string
      labels: string[]
      /** When it last changed */
      updatedAt: number
    }
  }
  /** Take a label off a topic */
  removeTopicLabel: {
    input: {
      params: {
        /** The topic */
        topicId: string
        /** The label */
        labelId: string
      }
    }
    answer: {
      /** The topic */
      id: string
      labels: string[]
      /** When it last changed */
      updatedAt: number
    }
  }
  /** Send a message, or files */
  sendMessage: {
    input: {
      body: {
        /** The topic */
        topicId: string
        /** The text; required unless it is streamed or forwards a message */
        text?: string
        /** Bots only: the text continues with `appendToMessage` until `finishMessage`. People see it grow; its event is emitted when it has ended */
        streaming?: boolean
        actions?: ActionsInput
        /** Forwards this message, with its files, place or contact; `text` is then a comment, and optional */
        forwardMessageId?: string
        /** Sends it later: when, at most 366 days ahead; not before now */
        sendAt?: number
        /** The message of the same topic that this replies to */
        parentId?: string
        /** On replies: people see it in the topic too, not only in its thread. Bots get and read every reply either way */
        alsoInTopic?: boolean
        /** Your own id for it */
        externalId?: string
      }
    }
    upload: {
      form: {
        /** The topic */
        topicId?: string
        /** The topic, under its other name; one of the two is required */
        channelID?: string
        /** A text that stands with the files */
        caption?: string
        /** The message of the same topic that this replies to */
        parentId?: string
        /** On replies: people see it in the topic too, not only in its thread. Bots get and read every reply either way */
        alsoInTopic?: boolean
        /** Your own id for it */
        externalId?: string
        /** Makes images smaller: at most 2048 pixels wide and high */
        compressImage?: boolean
        /** Voice messages whose sender gave it: how loud it is, in steps of the same length */
        waveform?: number[]
      }
      files: FileInput[]
    }
    answer: {
      /** The message */
      id: string
      /** The topic */
      topicId: string
      /** When it was sent */
      createdAt: number
      /** The time at which a scheduled message is sent; `id` is then the id of the scheduled message */
      sendAt?: number
      /** Whether it waits for a review, as the scheduled message `id` */
      held?: true
    }
  }
  /** Append to a message that is being streamed */
  appendToMessage: {
    input: {
      params: {
        /** The message */
        messageId: string
      }
      body: {
        /** The text to append */
        text: string
        /** The length of the text before it, in code points: text of the message beyond that is replaced, so that a request can be repeated safely */
        from?: number
      }
    }
    answer: {
      /** The message */
      id: string
      /** The length of its text now, in code points */
      length: number
      /** Milliseconds in which a body of plain text came in. Far fewer than sending it took: a proxy holds bodies back until they are whole */
      bodyMs?: number
    }
  }
  /** Show steps and sources of a message that is being streamed */
  setProgress: {
    input: {
      params: {
        /** The message */
        messageId: string
      }
      body?: {
        /** Steps of the bot’s work, from first to last */
        steps?: MessageStep[]
        /** Sources of the text; the first is number 1 */
        sources?: MessageSource[]
        /** The present activity of the bot, such as “searches the handbook”; gone when the message is finished */
        activity?: string
      }
    }
    answer: undefined
  }
  /** Finish a message that is being streamed */
  finishMessage: {
    input: {
      params: {
        /** The message */
        messageId: string
      }
      body?: {
        /** The whole text, in place of what was streamed */
        text?: string
        /** `failed`: people see that it ends too early */
        status?: 'finished' | 'failed'
        actions?: ActionsInput
      }
    }
    answer: {
      /** The message */
      id: string
      /** The topic */
      topicId: string
      /** When it was begun */
      createdAt: number
    }
  }
  /** Show that the bot is working */
  tellWorking: {
    input: {
      params: {
        /** The topic */
        topicId: string
      }
      body?: {
        /** The message that it will reply to */
        parentId?: string
      }
    }
    answer: undefined
  }
  /** Read the messages of a topic */
  listMessages: {
    input: {
      params: {
        /** The topic */
        topicId: string
      }
      query?: {
        /** Items per page */
        limit?: number
        /** `nextCursor` of the page before */
        cursor?: string
        /** Only messages sent before */
        before?: number
        /** Only messages sent after */
        after?: number
        /** Only messages of this sender */
        senderId?: string
        /** By age */
        order?: 'asc' | 'desc'
        /** System messages too */
        includeSystem?: boolean
        /** Only the replies to this message */
        threadId?: string
        /** Returns the members who reacted, not only their number */
        includeReactionUsers?: boolean
      }
    }
    answer: {
      messages: Message[]
      nextCursor?: string
      hasMore: boolean
    }
  }
  /** Read a message */
  readMessage: {
    input: {
      params: {
        /** The message */
        messageId: string
      }
    }
    answer: Message
  }
  /** Read what there is to know before an answer */
  readContext: {
    input: {
      params: {
        /** The topic */
        topicId: string
      }
      query?: {
        /** The message of the topic that is to be answered */
        message?: string
        /** The size that the answer may have */
        tokens?: number
      }
    }
    answer: TopicContext
  }
  /** Edit an own message */
  editMessage: {
    input: {
      params: {
        /** The message */
        messageId: string
      }
      body?: {
        /** The new text; required, unless `actions` is given */
        text?: string
        actions?: ActionsInput | null
      }
    }
    answer: {
      /** The message */
      id: string
      /** When it was edited */
      updatedAt: number
    }
  }
  /** Delete an own message */
  deleteMessage: {
    input: {
      params: {
        /** The message */
        messageId: string
      }
    }
    answer: undefined
  }
  /** Mark a message delivered */
  markDelivered: {
    input: {
      params: {
        /** The message */
        messageId: string
      }
    }
    answer: {
      /** The message */
      messageId: string
      /** The first time */
      deliveredAt: number
    }
  }
  /** Mark a message read */
  markRead: {
    input: {
      params: {
        /** The message */
        messageId: string
      }
    }
    answer: {
      /** The message */
      messageId: string
      /** The first time */
      readAt: number
    }
  }
  /** List own scheduled messages */
  listScheduledMessages: {
    input: {
      query?: {
        /** Items per page */
        limit?: number
        /** `nextCursor` of the page before */
        cursor?: string
      }
    }
    answer: {
      scheduledMessages: ({
        /** The scheduled message; the message that it becomes has another id */
        id: string
        /** The topic */
        topicId: string
        text: string
        /** The message is sent with its `actions` */
        hasActions?: true
        /** The message that it replies to */
        parentId?: string
        /** Your own id for it */
        externalId?: string
        /** When it is sent */
        sendAt: number
        /** `failed`: it could not be sent, and is not tried again; `held`: it waits for a review */
        state: 'scheduled' | 'failed' | 'held'
        /** Why it waits for a review */
        heldReason?: string
        /** The refusal that sending it would have got, if it failed */
        reason?: string
        /** The code of that refusal */
        reasonCode?: string
        /** When it was scheduled */
        createdAt: number
        /** When it was last changed, or failed */
        updatedAt: number
      })[]
      nextCursor?: string
      hasMore: boolean
    }
  }
  /** Change an own scheduled message */
  updateScheduledMessage: {
    input: {
      params: {
        /** The scheduled message */
        scheduledMessageId: string
      }
      body?: {
        /** The new text */
        text?: string
        /** The new time */
        sendAt?: number
      }
    }
    answer: {
      /** The scheduled message; the message that it becomes has another id */
      id: string
      /** The topic */
      topicId: string
      text: string
      /** The message is sent with its `actions` */
      hasActions?: true
      /** The message that it replies to */
      parentId?: string
      /** Your own id for it */
      externalId?: string
      /** When it is sent */
      sendAt: number
      /** `failed`: it could not be sent, and is not tried again; `held`: it waits for a review */
      state: 'scheduled' | 'failed' | 'held'
      /** Why it waits for a review */
      heldReason?: string
      /** The refusal that sending it would have got, if it failed */
      reason?: string
      /** The code of that refusal */
      reasonCode?: string
      /** When it was scheduled */
      createdAt: number
      /** When it was last changed, or failed */
      updatedAt: number
    }
  }
  /** Cancel an own scheduled message */
  cancelScheduledMessage: {
    input: {
      params: {
        /** The scheduled message */
        scheduledMessageId: string
      }
    }
    answer: undefined
  }
  /** Send an own scheduled message now */
  sendScheduledMessage: {
    input: {
      params: {
        /** The scheduled message */
        scheduledMessageId: string
      }
    }
    answer: {
      /** The message */
      id: string
      /** The topic */
      topicId: string
      /** When it was sent */
      createdAt: number
    }
  }
  /** Answer a person alone */
  noteAction: {
    input: {
      params: {
        /** The answer, as `message.action` named it */
        actionId: string
      }
      body: {
        /** The text of the note */
        text: string
      }
    }
    answer: undefined
  }
  /** Answer a message so that one person sees it */
  answerPrivately: {
    input: {
      params: {
        /** A message of one of the bot’s topics */
        messageId: string
        /** A person who is in the topic */
        memberId: string
      }
      body: {
        /** The answer */
        text: string
      }
    }
    answer: undefined
  }
  /** Take back an own private answer */
  withdrawPrivateAnswer: {
    input: {
      params: {
        /** A message of one of the bot’s topics */
        messageId: string
        /** A person who is in the topic */
        memberId: string
      }
    }
    answer: undefined
  }
  /** Ask people, and count their answers */
  askQuestion: {
    input: {
      body: {
        /** The topic */
        topicId: string
        /** The question */
        text: string
        /** The head of the card that holds the elements */
        title?: string
        /** Facts that people need for their answer, a line each */
        facts?: {
          /** The name of the fact, such as `Changes` */
          label: string
          /** The fact as plain text */
          text: string
        }[]
        /** Buttons, choices and forms, from first to last */
        elements: ({
          /** Your own id for it: 1 to 64 letters, digits and `_ . : -` */
          id: string
          /** The label of the button, choice or form */
          text: string
          style?: 'default' | 'primary' | 'danger'
          /** In place of the label: `Approved`, for "Approved by Ada Okafor" */
          doneText?: string
          /** The value that the bot gets; for buttons alone */
          value?: string
          /** Makes it a choice of these */
          options?: {
            /** The label of the option */
            text: string
            /** The value that the bot gets */
            value: string
          }[]
          /** Makes it open a form */
          fields?: ({
            /** Your own id for it: 1 to 64 letters, digits and `_ . : -` */
            id: string
            /** The label of the field */
            text: string
            /** `text` is one line, `paragraph` several */
            type?: 'text' | 'paragraph' | 'number' | 'choice' | 'date' | 'person' | 'topic'
            required?: boolean
            /** Given with `choice` */
            options?: {
              /** The label of the option */
              text: string
              /** The value that the bot gets */
              value: string
            }[]
            min?: number
            max?: number
          })[]
        })[]
        /** Who of the topic may answer; `people`: those in `people` */
        who?: 'anyone' | 'admins' | 'owners' | 'people'
        /** Given with `who` set to `people` */
        people?: string[]
        /** Answers stand in the audit log, with the question and the values of forms */
        approval?: boolean
        /** The number of people who must give the same answer */
        quorum?: number
        /** Ids of elements that end the question as soon as one person answers with them */
        decisive?: string[]
        /** No answer is taken from then on: up to 30 days ahead, in 24 hours by default */
        expiresAt?: number
        /** The id of the button that counts if the time is over without an answer */
        otherwise?: string
        /** The message of the same topic that this replies to */
        parentId?: string
        /** Your own name for the question. Asked again with it, by a bot that was restarted, it is the question that is there, however long ago */
        key?: string
      }
    }
    answer: Question
  }
  /** Read an own question, and wait for its answer */
  readQuestion: {
    input: {
      params: {
        /** The question */
        questionId: string
      }
      query?: {
        /** Seconds to wait while it is open */
        wait?: number
      }
    }
    answer: Question
  }
  /** Withdraw an own question */
  withdrawQuestion: {
    input: {
      params: {
        /** The question */
        questionId: string
      }
    }
    answer: undefined
  }
  /** List the own commands */
  listCommands: {
    input: {}
    answer: {
      commands: ({
        name: string
        description: string
        arguments: ({
          name: string
          description?: string
          /** The kind of its value, `text` by default. `person`: a mention, its value is the profile id; `topic`: a link to a topic of the writer, its value is the id; `date`: `2027-01-31`; `choice`: one of `options` */
          type?: 'text' | 'number' | 'date' | 'person' | 'topic' | 'choice'
          /** Whether a command without it is refused */
          required?: boolean
          /** The options of a `choice` */
          options?: string[]
        })[]
        /** The fields of its form */
        fields?: ({
          id: string
          text: string
          type?: 'text' | 'paragraph' | 'number' | 'choice' | 'date' | 'person' | 'topic'
          required?: boolean
          options?: {
            text: string
            value: string
          }[]
          min?: number
          max?: number
        })[]
      })[]
    }
  }
  /** Set the own commands */
  setCommands: {
    input: {
      body: {
        /** Empty: none any more */
        commands: ({
          /** The word that people write after `/`: up to 32 lower-case letters, digits, `_` and `-`, beginning with a letter */
          name: string
          /** A short description of the command */
          description: string
          /** Arguments in their order; the last one takes the rest of the text */
          arguments?: ({
            /** The name of the argument in the event */
            name: string
            /** A hint about what to write */
            description?: string
            /** The kind of its value, `text` by default. `person`: a mention, its value is the profile id; `topic`: a link to a topic of the writer, its value is the id; `date`: `2027-01-31`; `choice`: one of `options` */
            type?: 'text' | 'number' | 'date' | 'person' | 'topic' | 'choice'
            /** Whether a command without it is refused */
            required?: boolean
            /** The options of a `choice` */
            options?: string[]
          })[]
          /** Makes the command open a form; its values come as `arguments` */
          fields?: ({
            /** Your own id for it: 1 to 64 letters, digits and `_ . : -` */
            id: string
            /** The label of the field */
            text: string
            /** `text` is one line, `paragraph` several */
            type?: 'text' | 'paragraph' | 'number' | 'choice' | 'date' | 'person' | 'topic'
            required?: boolean
            /** Given with `choice` */
            options?: {
              /** The label of the option */
              text: string
              /** The value that the bot gets */
              value: string
            }[]
            min?: number
            max?: number
          })[]
        })[]
      }
    }
    answer: {
      commands: ({
        name: string
        description: string
        arguments: ({
          name: string
          description?: string
          /** The kind of its value, `text` by default. `person`: a mention, its value is the profile id; `topic`: a link to a topic of the writer, its value is the id; `date`: `2027-01-31`; `choice`: one of `options` */
          type?: 'text' | 'number' | 'date' | 'person' | 'topic' | 'choice'
          /** Whether a command without it is refused */
          required?: boolean
          /** The options of a `choice` */
          options?: string[]
        })[]
        /** The fields of its form */
        fields?: ({
          id: string
          text: string
          type?: 'text' | 'paragraph' | 'number' | 'choice' | 'date' | 'person' | 'topic'
          required?: boolean
          options?: {
            text: string
            value: string
          }[]
          min?: number
          max?: number
        })[]
      })[]
    }
  }
  /** List the own suggested prompts */
  listPrompts: {
    input: {}
    answer: {
      prompts: string[]
    }
  }
  /** Suggest what to ask */
  setPrompts: {
    input: {
      body: {
        /** People see them in this order. Empty: none any more */
        prompts: string[]
      }
    }
    answer: {
      prompts: string[]
    }
  }
  /** React to a message */
  addReaction: {
    input: {
      params: {
        /** The message */
        messageId: string
      }
      body: {
        /** One emoji */
        reaction: string
      }
    }
    answer: Reaction
  }
  /** Take back an own reaction */
  removeReaction: {
    input: {
      params: {
        /** The message */
        messageId: string
        /** The reaction */
        reactionId: string
      }
    }
    answer: undefined
  }
  /** List the organization's own emoji */
  listEmoji: {
    input: {}
    answer: {
      emoji: {
        /** The name, written between colons, such as `:party_parrot:` */
        name: string
        /** A link to the picture, which expires */
        url: string
        /** The member who added it */
        createdBy: string
        /** When it was added */
        createdAt: number
      }[]
    }
  }
  /** List tasks from the topics of the bot */
  listTasks: {
    input: {
      query?: {
        /** Items per page */
        limit?: number
        /** `nextCursor` of the page before */
        cursor?: string
        /** Only tasks of this topic */
        topicId?: string
        /** Only tasks in this state */
        status?: 'Open' | 'Done'
        /** Only tasks of this member, or unassigned ones if it is empty */
        assignee?: '' | string
      }
    }
    answer: {
      tasks: Task[]
      nextCursor?: string
      hasMore: boolean
    }
  }
  /** Read a task */
  readTask: {
    input: {
      params: {
        /** The task */
        taskId: string
      }
    }
    answer: Task
  }
  /** Create a task in a topic */
  createTask: {
    input: {
      body: {
        /** The topic */
        topicId: string
        /** The title */
        title: string
        /** More about it */
        description?: string
        /** A member of the topic; empty: unassigned */
        assignee?: '' | string
        /** When it is due; 0: no date */
        dueDate?: number
        /** Your own id for it */
        externalId?: string
      }
    }
    answer: {
      /** The task */
      id: string
      /** Its topic */
      topicId: string
      title: string
      /** When it was created */
      createdAt: number
    }
  }
  /** Change a task */
  updateTask: {
    input: {
      params: {
        /** The task */
        taskId: string
      }
      body?: {
        /** The task's topic; required with `status` */
        topicId?: string
        /** The title */
        name?: string
        /** The title */
        title?: string
        /** More about it */
        description?: string
        /** A member of the topic; empty removes the assignee */
        assignee?: '' | string
        /** When it is due; 0 clears it */
        dueDate?: number
        status?: 'Open' | 'Done'
      }
    }
    answer: {
      /** The task */
      id: string
      /** When it was changed */
      updatedAt: number
    }
  }
  /** Delete a task */
  deleteTask: {
    input: {
      params: {
        /** The task */
        taskId: string
      }
    }
    answer: undefined
  }
  /** Create a poll in a topic */
  createPoll: {
    input: {
      body: {
        /** The topic */
        topicId: string
        /** The question to decide */
        question: string
        /** Whether a member has one vote or several */
        selectionType: 'single' | 'multiple'
        /** The texts to choose from */
        options: string[]
        /** Voters stay secret; takes no votes through the API */
        anonymous?: boolean
        /** Stands below the question */
        subtitle?: string
        /** Unix time in ms, in the future: when it stops taking votes */
        expiresAt?: number
      }
    }
    answer: Poll
  }
  /** Vote in a poll */
  castVote: {
    input: {
      params: {
        /** The poll */
        pollId: string
      }
      body: {
        /** Id of an option of this poll */
        optionId: string
      }
    }
    answer: PollVote
  }
  /** Take back an own vote */
  retractVote: {
    input: {
      params: {
        /** The poll */
        pollId: string
        /** The `id` of the vote */
        voteId: string
      }
    }
    answer: undefined
  }
  /** List the members of the organization */
  listMembers: {
    input: {
      query?: {
        /** Items per page */
        limit?: number
        /** `nextCursor` of the page before */
        cursor?: string
        /** The number of members to skip */
        offset?: number
        /** Only these addresses, comma-separated */
        emails?: string
        /** Only members in this state */
        status?: 'Pending' | 'Active' | 'Deleted' | 'Archived'
      }
    }
    answer: {
      members: Member[]
      nextCursor?: string
      hasMore: boolean
    }
  }
  /** Read the calling bot itself */
  readMe: {
    input: {}
    answer: Member
  }
  /** Read one member, whatever its status */
  readMember: {
    input: {
      params: {
        /** A person (`<uuid>`) or a bot (`b@<uuid>`) */
        memberId: string
      }
    }
    answer: Member
  }
  /** List the org units of the organization */
  listOrgUnits: {
    input: {
      query?: {
        /** Items per page */
        limit?: number
        /** `nextCursor` of the page before */
        cursor?: string
      }
    }
    answer: {
      orgUnits: OrgUnit[]
      nextCursor?: string
      hasMore: boolean
    }
  }
  /** Read an org unit */
  readOrgUnit: {
    input: {
      params: {
        /** The org unit */
        orgUnitId: string
      }
    }
    answer: OrgUnit
  }
  /** Add members to an org unit */
  addOrgUnitMembers: {
    input: {
      params: {
        /** The org unit */
        orgUnitId: string
      }
      body: {
        /** Profile ids, 1 to 5; duplicates are removed */
        memberIds: string[]
      }
    }
    answer: {
      /** The org unit */
      id: string
      /** All current members */
      memberIds: string[]
    }
  }
  /** Remove members from an org unit */
  removeOrgUnitMembers: {
    input: {
      params: {
        /** The org unit */
        orgUnitId: string
      }
      body: {
        /** Profile ids, 1 to 5; duplicates are removed */
        memberIds: string[]
      }
    }
    answer: {
      /** The org unit */
      id: string
      /** All current members */
      memberIds: string[]
    }
  }
  /** List groups and org units */
  listGroups: {
    input: {
      query?: {
        /** Items per page */
        limit?: number
        /** `nextCursor` of the page before */
        cursor?: string
        /** The beginning of the tag, or of a word of the name */
        search?: string
      }
    }
    answer: {
      groups: ({
        /** The group, or the org unit */
        id: string
        /** `group`: members made it; `unit`: an org unit, which admins manage */
        kind: 'group' | 'unit'
        name: string
        /** Mentioned as `<@tag>` */
        tag: string
        /** The purpose of the group; empty for org units */
        description: string
        /** The owner, who changes the group beside admins; org units have none */
        ownerId?: string
        /** People and bots */
        memberCount: number
        /** Whether the caller is in it */
        isMember: boolean
        /** When it was created */
        createdAt: number
        /** When it last changed */
        updatedAt: number
      })[]
      nextCursor?: string
      hasMore: boolean
    }
  }
  /** Read a group or an org unit */
  readGroup: {
    input: {
      params: {
        /** The group, or the org unit */
        groupId: string
      }
    }
    answer: {
      /** The group, or the org unit */
      id: string
      /** `group`: members made it; `unit`: an org unit, which admins manage */
      kind: 'group' | 'unit'
      name: string
      /** Mentioned as `<@tag>` */
      tag: string
      /** The purpose of the group; empty for org units */
      description: string
      /** The owner, who changes the group beside admins; org units have none */
      ownerId?: string
      /** People and bots */
      memberCount: number
      /** Whether the caller is in it */
      isMember: boolean
      /** When it was created */
      createdAt: number
      /** When it last changed */
      updatedAt: number
    }
  }
  /** List the members of a group or an org unit */
  listGroupMembers: {
    input: {
      params: {
        /** The group, or the org unit */
        groupId: string
      }
      query?: {
        /** Items per page */
        limit?: number
        /** `nextCursor` of the page before */
        cursor?: string
      }
    }
    answer: {
      members: ({
        /** A person (`<uuid>`) or a bot (`b@<uuid>`) */
        id: string
        name: string
        type: 'user' | 'bot'
      })[]
      nextCursor?: string
      hasMore: boolean
    }
  }
  /** Search messages, files, tasks, topics and members */
  search: {
    input: {
      query: {
        /** Items per page */
        limit?: number
        /** `nextCursor` of the page before */
        cursor?: string
        /** Words, phrases and filters */
        q: string
        /** `best` ranks the newest 1000 that were found */
        order?: 'newest' | 'best'
        /** What is listed: all messages, those with files, those that tell of tasks, or, by their names alone, `members` or `topics`, which are not looked for in messages */
        kind?: 'messages' | 'files' | 'tasks' | 'members' | 'topics'
        /** The time zone in which the days of `before:`, `after:`, `on:` and `during:` begin */
        timeZone?: string
      }
    }
    answer: {
      results: ({
        message: Message
        topic: {
          /** The topic */
          id: string
          type: 'topic' | 'dm'
          /** The name of the topic; of a direct message, the names of its other members */
          name: string
        }
        /** The passage that was found; the beginning of the text if only filters were given */
        excerpts: ({
          /** The text itself, or what else belongs to it */
          source: 'text' | 'file' | 'fileText' | 'transcription' | 'task' | 'poll' | 'location' | 'contact'
          /** Plain text in pieces: put together they are the text, and nothing in them is markup */
          parts: {
            text: string
            /** Whether this part is what was searched for */
            hit: boolean
          }[]
        })[]
      })[]
      nextCursor?: string
      hasMore: boolean
      /** Topics by name and description: at most 5 on the first page of a search without filters, all of them with `kind=topics` */
      topics: {
        /** The topic */
        id: string
        /** Plain text in pieces: put together they are the text, and nothing in them is markup */
        name: {
          text: string
          /** Whether this part is what was searched for */
          hit: boolean
        }[]
        /** Plain text in pieces: put together they are the text, and nothing in them is markup */
        description: {
          text: string
          /** Whether this part is what was searched for */
          hit: boolean
        }[]
      }[]
      /** People and bots by name: at most 5 on the first page of a search without filters, all of them with `kind=members` */
      members: ({
        /** A person (`<uuid>`) or a bot (`b@<uuid>`) */
        id: string
        type: 'user' | 'bot'
        /** Plain text in pieces: put together they are the text, and nothing in them is markup */
        name: {
          text: string
          /** Whether this part is what was searched for */
          hit: boolean
        }[]
      })[]
      /** Words that were probably misspelled; messages with those instead are among the results */
      corrections: {
        /** A word of the search that hardly occurs */
        word: string
        /** Words in the results that are one letter away */
        instead: string[]
      }[]
      /** False while older messages are being prepared for search; newer ones are found already */
      isComplete: boolean
    }
  }
  /** List the keys of the bot */
  listStorage: {
    input: {
      query?: {
        /** Items per page */
        limit?: number
        /** `nextCursor` of the page before */
        cursor?: string
        /** Only keys that begin with this */
        prefix?: string
      }
    }
    answer: {
      entries: StorageEntry[]
      nextCursor?: string
      hasMore: boolean
    }
  }
  /** Read a value */
  readStorage: {
    input: {
      params: {
        /** 1 to 200 letters, digits and `. _ : @ -`; the first is a letter or a digit */
        key: string
      }
    }
    answer: StoredValue
  }
  /** Write a value */
  writeStorage: {
    input: {
      params: {
        /** 1 to 200 letters, digits and `. _ : @ -`; the first is a letter or a digit */
        key: string
      }
      body: {
        /** Any JSON, up to 65536 bytes */
        value: unknown
        /** The version that it must have now; 0: it must not be there */
        version?: number
      }
    }
    answer: StorageEntry
  }
  /** Delete a value */
  deleteStorage: {
    input: {
      params: {
        /** 1 to 200 letters, digits and `. _ : @ -`; the first is a letter or a digit */
        key: string
      }
      query?: {
        /** The version that it must have now */
        version?: number
      }
    }
    answer: undefined
  }
  /** Read what the bot has used today, and its budgets */
  readUsage: {
    input: {}
    answer: {
      /** Messages that it sent today, counted while it has a budget; up to a second old */
      messages: number
      /** Tokens that it reported today */
      tokens: number
      /** Messages that it may use in a day; missing: as many as it likes */
      messagesPerDay?: number
      /** Tokens that it may use in a day; missing: as many as it likes */
      tokensPerDay?: number
      /** When the day ends: at midnight UTC */
      endsAt: number
    }
  }
  /** Report tokens that the bot has used */
  reportUsage: {
    input: {
      body: {
        /** Tokens of a language model, of one answer or of several */
        tokens: number
      }
    }
    answer: {
      /** Messages that it sent today, counted while it has a budget; up to a second old */
      messages: number
      /** Tokens that it reported today */
      tokens: number
      /** Messages that it may use in a day; missing: as many as it likes */
      messagesPerDay?: number
      /** Tokens that it may use in a day; missing: as many as it likes */
      tokensPerDay?: number
      /** When the day ends: at midnight UTC */
      endsAt: number
    }
  }
}

export type EventData = {
  'message.created': MessageCreated
  'message.updated': MessageUpdated
  'message.deleted': MessageDeleted
  'reaction.added': ReactionEvent
  'reaction.removed': ReactionEvent
  'member.added': MembersEvent
  'member.removed': MembersEvent
  'topic.updated': TopicUpdated
  'poll_vote.created': PollVoteEvent
  'poll_vote.deleted': PollVoteEvent
  'message.action': MessageActionEvent
  'question.closed': QuestionClosedEvent
  'message.command': MessageCommandEvent
  'scheduled_message.failed': ScheduledMessageFailedEvent
}

/** Codes of refusals, as `ParleyError.code` has them. */
export type ErrorCode =
  | 'action_ids_repeated'
  | 'action_not_found'
  | 'action_option_values_repeated'
  | 'action_options_misplaced'
  | 'action_people_invalid'
  | 'action_people_misplaced'
  | 'action_range_invalid'
  | 'actions_too_large'
  | 'body_incomplete'
  | 'body_not_object'
  | 'body_not_utf8'
  | 'body_too_large'
  | 'bot_budget_spent'
  | 'bot_paused'
  | 'bots_slowed'
  | 'bots_stopped'
  | 'characters_not_allowed'
  | 'command_ambiguous'
  | 'command_argument_missing'
  | 'command_argument_wrong'
  | 'command_arguments_invalid'
  | 'command_fields_too_large'
  | 'command_form_missing'
  | 'command_names_repeated'
  | 'concurrency_limited'
  | 'connections_full'
  | 'connections_limited'
  | 'content_type_unsupported'
  | 'cursor_invalid'
  | 'direct_messages_off'
  | 'disk_full'
  | 'expiry_not_in_future'
  | 'field_invalid'
  | 'field_misplaced'
  | 'field_out_of_range'
  | 'field_required'
  | 'field_too_long'
  | 'field_too_short'
  | 'fields_conflict'
  | 'fields_missing'
  | 'file_empty'
  | 'file_limit_reached'
  | 'file_too_large'
  | 'forbidden'
  | 'forward_not_combinable'
  | 'group_not_found'
  | 'guests_for_admins'
  | 'idempotency_key_invalid'
  | 'idempotency_key_reused'
  | 'image_invalid'
  | 'image_pixels_exceeded'
  | 'image_queue_full'
  | 'image_too_large'
  | 'image_too_slow'
  | 'image_type_unsupported'
  | 'internal_error'
  | 'invalid_client'
  | 'invalid_grant'
  | 'invalid_request'
  | 'label_name_taken'
  | 'malformed_form'
  | 'malformed_json'
  | 'malformed_path'
  | 'malformed_request'
  | 'member_invalid'
  | 'member_not_found'
  | 'mention_invalid'
  | 'mention_people_full'
  | 'mention_too_large'
  | 'message_check_away'
  | 'message_held'
  | 'message_not_editable'
  | 'message_not_forwardable'
  | 'message_not_found'
  | 'message_refused'
  | 'not_found'
  | 'not_in_rehearsals'
  | 'offset_gone'
  | 'offset_invalid'
  | 'option_id_invalid'
  | 'org_unit_not_found'
  | 'organization_not_created'
  | 'part_limit_reached'
  | 'part_repeated'
  | 'part_too_large'
  | 'plain_text_needs_token'
  | 'plain_text_not_utf8'
  | 'plain_text_takes_no_key'
  | 'poll_anonymous'
  | 'poll_closed'
  | 'poll_expired'
  | 'poll_not_found'
  | 'polling_not_enabled'
  | 'polls_waiting'
  | 'private_answer_member_invalid'
  | 'private_answer_not_found'
  | 'progress_too_large'
  | 'question_answered'
  | 'question_expiry_too_far'
  | 'question_key_taken'
  | 'question_not_found'
  | 'questions_full'
  | 'rate_limited'
  | 'reaction_not_emoji'
  | 'reaction_not_found'
  | 'rehearsal_full'
  | 'rehearsal_over'
  | 'request_too_slow'
  | 'scheduled_message_held'
  | 'scheduled_message_not_found'
  | 'scheduled_messages_full'
  | 'search_day_invalid'
  | 'search_kind_unknown'
  | 'search_operator_unknown'
  | 'search_period_combined'
  | 'search_state_unknown'
  | 'search_too_long'
  | 'send_time_invalid'
  | 'server_busy'
  | 'step_ids_repeated'
  | 'storage_full'
  | 'storage_key_not_found'
  | 'storage_keys_full'
  | 'storage_quota_exceeded'
  | 'storage_value_inexact'
  | 'storage_value_too_deep'
  | 'storage_value_too_large'
  | 'storage_version_conflict'
  | 'stream_finished'
  | 'stream_gap'
  | 'stream_stopped'
  | 'stream_taken_over'
  | 'streams_full'
  | 'task_not_found'
  | 'temporarily_unavailable'
  | 'topic_archived'
  | 'topic_external_id_taken'
  | 'topic_has_label'
  | 'topic_id_needed_with_status'
  | 'topic_ids_differ'
  | 'topic_is_direct'
  | 'topic_member_known'
  | 'topic_not_found'
  | 'unauthorized'
  | 'unsupported_grant_type'
  | 'vote_not_found'
  | 'word_blocked'

export type EventType = keyof EventData
export const EVENT_TYPES: readonly EventType[] = [
  'message.created',
  'message.updated',
  'message.deleted',
  'reaction.added',
  'reaction.removed',
  'member.added',
  'member.removed',
  'topic.updated',
  'poll_vote.created',
  'poll_vote.deleted',
  'message.action',
  'question.closed',
  'message.command',
  'scheduled_message.failed',
]

export const ROUTES = {
  readUpdates: ['GET', '/v2/updates'],
  listTopics: ['GET', '/v2/topics'],
  readTopic: ['GET', '/v2/topics/{topicId}'],
  readTopicByExternalId: ['GET', '/v2/topics/external/{externalId}'],
  createTopic: ['POST', '/v2/topics'],
  startDirectMessage: ['POST', '/v2/direct-messages'],
  updateTopic: ['PATCH', '/v2/topics/{topicId}'],
  addTopicMembers: ['POST', '/v2/topics/{topicId}/members'],
  removeTopicMembers: ['DELETE', '/v2/topics/{topicId}/members'],
  createLabel: ['POST', '/v2/organization/labels'],
  listLabels: ['GET', '/v2/organization/labels'],
  addTopicLabel: ['POST', '/v2/topics/{topicId}/labels'],
  removeTopicLabel: ['DELETE', '/v2/topics/{topicId}/labels/{labelId}'],
  sendMessage: ['POST', '/v2/messages'],
  appendToMessage: ['POST', '/v2/messages/{messageId}/append'],
  setProgress: ['PUT', '/v2/messages/{messageId}/progress'],
  finishMessage: ['POST', '/v2/messages/{messageId}/finish'],
  tellWorking: ['POST', '/v2/topics/{topicId}/working'],
  listMessages: ['GET', '/v2/topics/{topicId}/messages'],
  readMessage: ['GET', '/v2/messages/{messageId}'],
  readContext: ['GET', '/v2/topics/{topicId}/context'],
  editMessage: ['PATCH', '/v2/messages/{messageId}'],
  deleteMessage: ['DELETE', '/v2/messages/{messageId}'],
  markDelivered: ['POST', '/v2/messages/{messageId}/delivered'],
  markRead: ['POST', '/v2/messages/{messageId}/read'],
  listScheduledMessages: ['GET', '/v2/scheduled-messages'],
  updateScheduledMessage: ['PATCH', '/v2/scheduled-messages/{scheduledMessageId}'],
  cancelScheduledMessage: ['DELETE', '/v2/scheduled-messages/{scheduledMessageId}'],
  sendScheduledMessage: ['POST', '/v2/scheduled-messages/{scheduledMessageId}/send'],
  noteAction: ['POST', '/v2/actions/{actionId}/note'],
  answerPrivately: ['PUT', '/v2/messages/{messageId}/private-answers/{memberId}'],
  withdrawPrivateAnswer: ['DELETE', '/v2/messages/{messageId}/private-answers/{memberId}'],
  askQuestion: ['POST', '/v2/questions'],
  readQuestion: ['GET', '/v2/questions/{questionId}'],
  withdrawQuestion: ['DELETE', '/v2/questions/{questionId}'],
  listCommands: ['GET', '/v2/commands'],
  setCommands: ['PUT', '/v2/commands'],
  listPrompts: ['GET', '/v2/prompts'],
  setPrompts: ['PUT', '/v2/prompts'],
  addReaction: ['POST', '/v2/messages/{messageId}/reactions'],
  removeReaction: ['DELETE', '/v2/messages/{messageId}/reactions/{reactionId}'],
  listEmoji: ['GET', '/v2/emoji'],
  listTasks: ['GET', '/v2/tasks'],
  readTask: ['GET', '/v2/tasks/{taskId}'],
  createTask: ['POST', '/v2/tasks'],
  updateTask: ['PATCH', '/v2/tasks/{taskId}'],
  deleteTask: ['DELETE', '/v2/tasks/{taskId}'],
  createPoll: ['POST', '/v2/polls'],
  castVote: ['POST', '/v2/polls/{pollId}/votes'],
  retractVote: ['DELETE', '/v2/polls/{pollId}/votes/{voteId}'],
  listMembers: ['GET', '/v2/members'],
  readMe: ['GET', '/v2/members/me'],
  readMember: ['GET', '/v2/members/{memberId}'],
  listOrgUnits: ['GET', '/v2/org-units'],
  readOrgUnit: ['GET', '/v2/org-units/{orgUnitId}'],
  addOrgUnitMembers: ['POST', '/v2/org-units/{orgUnitId}/members'],
  removeOrgUnitMembers: ['DELETE', '/v2/org-units/{orgUnitId}/members'],
  listGroups: ['GET', '/v2/groups'],
  readGroup: ['GET', '/v2/groups/{groupId}'],
  listGroupMembers: ['GET', '/v2/groups/{groupId}/members'],
  search: ['GET', '/v2/search'],
  listStorage: ['GET', '/v2/storage'],
  readStorage: ['GET', '/v2/storage/{key}'],
  writeStorage: ['PUT', '/v2/storage/{key}'],
  deleteStorage: ['DELETE', '/v2/storage/{key}'],
  readUsage: ['GET', '/v2/usage'],
  reportUsage: ['POST', '/v2/usage'],
} as const
