# Generated from the contract by `npm run sdk`. Do not edit.
from __future__ import annotations

from typing import TYPE_CHECKING, Any, Dict, List, Literal, NamedTuple, Sequence, Tuple, TypedDict, Union

if TYPE_CHECKING:
    from typing_extensions import NotRequired

    from .files import FileInput


class Omitted:
    """Stands for an argument that was not given, where None has a meaning of its own."""

    def __repr__(self) -> str:
        return "OMITTED"


OMITTED = Omitted()


class Route(NamedTuple):
    method: str
    path: str
    query: Tuple[str, ...] = ()
    #: Fields of the JSON body.
    body: Tuple[str, ...] = ()
    #: Fields of the JSON that goes with files.
    form: Tuple[str, ...] = ()
    #: Fields in which None is sent as null.
    nulls: Tuple[str, ...] = ()


class ActionAnswer(TypedDict):
    # The answer
    id: str
    # The person who answered
    userId: str
    elementId: str
    # The value of the button or of the chosen option
    value: NotRequired[str]
    # When
    createdAt: int


class ActionsInputFact(TypedDict):
    # The name of the fact, such as `Changes`
    label: str
    # The fact as plain text
    text: str


class ActionsInputElementOption(TypedDict):
    # The label of the option
    text: str
    # The value that the bot gets
    value: str


class ActionsInputElementField(TypedDict):
    # Your own id for it: 1 to 64 letters, digits and `_ . : -`
    id: str
    # The label of the field
    text: str
    # `text` is one line, `paragraph` several
    type: NotRequired[Literal["text", "paragraph", "number", "choice", "date", "person", "topic"]]
    required: NotRequired[bool]
    # Given with `choice`
    options: NotRequired[List[ActionsInputElementOption]]
    min: NotRequired[float]
    max: NotRequired[float]


class ActionsInputElement(TypedDict):
    # Your own id for it: 1 to 64 letters, digits and `_ . : -`
    id: str
    # The label of the button, choice or form
    text: str
    style: NotRequired[Literal["default", "primary", "danger"]]
    # In place of the label: `Approved`, for "Approved by Ada Okafor"
    doneText: NotRequired[str]
    # The value that the bot gets; for buttons alone
    value: NotRequired[str]
    # Makes it a choice of these
    options: NotRequired[List[ActionsInputElementOption]]
    # Makes it open a form
    fields: NotRequired[List[ActionsInputElementField]]


class ActionsInput(TypedDict):
    # The head of the card that holds the elements
    title: NotRequired[str]
    # Facts that people need for their answer, a line each
    facts: NotRequired[List[ActionsInputFact]]
    # Buttons, choices and forms, from first to last
    elements: List[ActionsInputElement]
    # Who of the topic may answer; `people`: those in `people`
    who: NotRequired[Literal["anyone", "admins", "owners", "people"]]
    # Given with `who` set to `people`
    people: NotRequired[List[str]]
    # `once`: the first answer counts; `each`: one of each person; `always`: every press
    use: NotRequired[Literal["once", "each", "always"]]
    # No answer is taken from then on
    expiresAt: NotRequired[int]
    # Answers stand in the audit log, with the question and the values of forms
    approval: NotRequired[bool]


class AttachmentTranscription(TypedDict):
    status: Literal["Pending", "Done", "Failed"]
    # Present when `Done`
    text: NotRequired[str]
    # Given with `Failed` if the server has no engine
    reason: NotRequired[Literal["no_engine"]]


class Attachment(TypedDict):
    # `att_<uuid>`
    id: str
    type: Literal["image", "file", "video", "audio"]
    # Original file name
    name: NotRequired[str]
    # Signed download link, valid for 60 minutes
    url: str
    # The type of the content, as the server recognized it
    contentType: str
    # In bytes
    size: int
    # The size of images, and of videos if it is known, in pixels
    width: NotRequired[int]
    # The size of images, and of videos if it is known, in pixels
    height: NotRequired[int]
    # The length of audio and video in ms, if it is known
    duration: NotRequired[int]
    # Images only: signed link to a WebP of at most 320 by 320 pixels
    thumbnailUrl: NotRequired[str]
    # Voice messages whose sender gave it: how loud it is, in steps of the same length
    waveform: NotRequired[List[int]]
    # Voice messages only
    transcription: NotRequired[AttachmentTranscription]


class Call(TypedDict):
    id: str
    # A person (`<uuid>`) or a bot (`b@<uuid>`)
    initiatorId: str
    callType: str
    status: str
    # Begin
    startedAt: int
    # End
    endedAt: int
    endReason: str
    # In ms
    duration: int
    participantCount: int


class Contact(TypedDict):
    name: str
    phoneNumbers: List[str]
    emails: List[str]
    role: str
    location: str
    linkedIn: str
    profileId: str


class Location(TypedDict):
    latitude: str
    longitude: str
    name: NotRequired[str]
    address: NotRequired[str]


class Mention(TypedDict):
    # A person (`<uuid>`) or a bot (`b@<uuid>`)
    id: str
    name: str


class MessagePollOption(TypedDict):
    id: str
    text: str


class MessagePoll(TypedDict):
    # The poll
    id: str
    title: str
    subtitle: NotRequired[str]
    selectionType: Literal["single", "multiple"]
    anonymous: bool
    status: Literal["active", "closed"]
    # When it stops taking votes
    expiresAt: NotRequired[int]
    options: List[MessagePollOption]


class MessageTask(TypedDict):
    # The task
    id: str
    action: Literal["Added", "Updated", "Deleted", "MarkedAsDone", "MarkedAsOpened", "Replied"]
    title: str
    # The description of the task
    text: str
    status: Literal["Open", "Done"]
    # Profile id; empty when unassigned
    assignee: str
    # Unix time in ms; 0 when unset
    dueDate: int
    isDueDateTimeSelected: bool
    # Empty unless it is part of another task
    parentId: str
    subItemsCount: int


class ReactionCount(TypedDict):
    emoji: str
    count: int
    # Given only with `includeReactionUsers=true`
    userIds: NotRequired[List[str]]


class StreamState(TypedDict):
    # `streaming`: still being written, seen by people alone; `stopped` by a person; `failed`: given up by the bot; `interrupted`: the bot fell silent
    status: Literal["streaming", "stopped", "failed", "interrupted"]
    # The present activity of the bot, while it is `streaming`
    activity: NotRequired[str]
    # The person who stopped it, given with `stopped`
    stoppedBy: NotRequired[str]


class MessageActionsFact(TypedDict):
    label: str
    text: str


class MessageActionsElementOption(TypedDict):
    text: str
    value: str


class MessageActionsElementField(TypedDict):
    id: str
    text: str
    type: NotRequired[Literal["text", "paragraph", "number", "choice", "date", "person", "topic"]]
    required: NotRequired[bool]
    options: NotRequired[List[MessageActionsElementOption]]
    min: NotRequired[float]
    max: NotRequired[float]


class MessageActionsElement(TypedDict):
    id: str
    text: str
    style: NotRequired[Literal["default", "primary", "danger"]]
    doneText: NotRequired[str]
    value: NotRequired[str]
    options: NotRequired[List[MessageActionsElementOption]]
    fields: NotRequired[List[MessageActionsElementField]]


class MessageActionsQuestion(TypedDict):
    # The question, for `readQuestion`
    id: str
    # The number of people who must give the same answer
    quorum: int
    # Elements that end it as soon as one person answers with them
    decisive: NotRequired[List[str]]
    # The element that counts if the time is over without an answer
    otherwise: NotRequired[str]


class MessageActionsOutcome(TypedDict):
    status: Literal["answered", "expired", "withdrawn"]
    # What counts
    elementId: NotRequired[str]
    # The value of it
    value: NotRequired[str]
    # When
    closedAt: int


class MessageActions(TypedDict):
    # The id of this question, which changes when the bot asks another or changes the text
    id: str
    # SHA-256 of the text and of what can be answered, in hex; an answer says with it what was seen
    hash: str
    title: NotRequired[str]
    facts: NotRequired[List[MessageActionsFact]]
    # The elements as declared
    elements: List[MessageActionsElement]
    who: Literal["anyone", "admins", "owners", "people"]
    people: NotRequired[List[str]]
    # `once`: the first answer counts; `each`: one of each person; `always`: every press
    use: Literal["once", "each", "always"]
    # No answer is taken from then on
    expiresAt: NotRequired[int]
    approval: bool
    # The first 100; of `always` none
    answers: List[ActionAnswer]
    question: NotRequired[MessageActionsQuestion]
    outcome: NotRequired[MessageActionsOutcome]


class MessageStep(TypedDict):
    # Your own id for it
    id: str
    # The task, in a few words
    title: str
    status: Literal["pending", "in_progress", "done", "failed"]
    # Background of the step, shown when it is opened
    details: NotRequired[str]
    # Result of the step, shown when it is opened
    output: NotRequired[str]


class MessageSource(TypedDict):
    title: str
    # The address of the source: http or https
    url: NotRequired[str]
    # The words that matter
    quote: NotRequired[str]


class MessageForwarded(TypedDict):
    # The message that was forwarded
    messageId: str
    # The topic of the original; 404 to callers who may not see it
    topicId: str
    # The sender of the forwarded message
    senderId: str
    senderName: str
    senderType: Literal["user", "bot"]
    # The type of the forwarded message; a forwarded `poll` or `task` is shown by its title
    type: Literal["text", "image", "file", "video", "audio", "location", "task", "contact", "poll", "call"]
    # The text at the time of forwarding, with names in place of mentions; the title of a poll or a task
    text: str
    # When the forwarded message was sent
    createdAt: int


class MessagePreview(TypedDict):
    # The address of the page
    url: str
    title: str
    description: NotRequired[str]
    siteName: NotRequired[str]
    # The picture: `att_<uuid>`
    imageId: NotRequired[str]
    # A signed link to a WebP, valid for 60 minutes, given with `imageId`
    thumbnailUrl: NotRequired[str]
    # The size of the picture, in pixels
    width: NotRequired[int]
    # The size of the picture, in pixels
    height: NotRequired[int]


class MessageGroupMentionsGroup(TypedDict):
    # The group or org unit
    id: str
    # The tag when the message was sent: the text has `<@tag>`
    tag: str


class MessageGroupMentions(TypedDict):
    # `<@everyone>`: all people of the topic
    everyone: NotRequired[Literal[True]]
    # `<@here>`: people of the topic who were present
    here: NotRequired[Literal[True]]
    # Groups and org units; their members who are in the topic are mentioned
    groups: NotRequired[List[MessageGroupMentionsGroup]]


class MessageAssistant(TypedDict):
    # The name of the assistant, as it gave itself
    name: str


class Message(TypedDict):
    # The message
    id: str
    # Its topic
    topicId: str
    # A person (`<uuid>`) or a bot (`b@<uuid>`)
    senderId: str
    senderName: str
    senderType: Literal["user", "bot"]
    type: Literal["text", "image", "file", "video", "audio", "location", "task", "contact", "poll", "call"]
    # Mentions stand in it as `<@profileId>`, `<@everyone>`, `<@here>` and `<@tag>` of a group
    text: str
    # When it was sent
    createdAt: int
    # When it last changed
    updatedAt: int
    isEdited: bool
    isSystem: bool
    # A text was cut at 10000 code points
    truncated: bool
    # On messages with files that appeared after newer ones: their place in the order of appearance
    appearedId: NotRequired[str]
    # On replies: the message that is replied to
    parentId: NotRequired[str]
    # The id that the sender gave it
    externalId: NotRequired[str]
    poll: NotRequired[MessagePoll]
    task: NotRequired[MessageTask]
    call: NotRequired[Call]
    location: NotRequired[Location]
    contact: NotRequired[Contact]
    forwarded: NotRequired[MessageForwarded]
    preview: NotRequired[MessagePreview]
    stream: NotRequired[StreamState]
    # Steps of the bot’s work, from first to last
    steps: NotRequired[List[MessageStep]]
    # Sources of the text; the first is number 1
    sources: NotRequired[List[MessageSource]]
    actions: NotRequired[MessageActions]
    # Whom the text mentions by `<@everyone>`, `<@here>` and `<@tag>`, besides `mentions`
    groupMentions: NotRequired[MessageGroupMentions]
    # The assistant that wrote this for the person, if one did
    assistant: NotRequired[MessageAssistant]
    # Attachment ids
    attachments: List[str]
    # On messages with files
    attachmentDetails: NotRequired[List[Attachment]]
    mentions: List[str]
    mentionDetails: List[Mention]
    reactions: List[ReactionCount]
    # The number of replies
    replyCount: int
    # Equal to `id`; given where a message is read by its id
    messageId: NotRequired[str]
    # Equal to `topicId`; given where a message is read by its id
    channelId: NotRequired[str]


class EventMessage(TypedDict):
    # The message
    id: str
    # Its topic
    topicId: str
    # A person (`<uuid>`) or a bot (`b@<uuid>`)
    senderId: str
    senderName: str
    senderType: Literal["user", "bot"]
    type: Literal["text", "image", "file", "video", "audio", "location", "task", "contact", "poll", "call"]
    # Mentions stand in it as `<@profileId>`, `<@everyone>`, `<@here>` and `<@tag>` of a group
    text: str
    # When it was sent
    createdAt: int
    # When it last changed
    updatedAt: int
    isEdited: bool
    isSystem: bool
    # A text was cut at 10000 code points
    truncated: bool
    # On messages with files that appeared after newer ones: their place in the order of appearance
    appearedId: NotRequired[str]
    # On replies: the message that is replied to
    parentId: NotRequired[str]
    # The id that the sender gave it
    externalId: NotRequired[str]
    poll: NotRequired[MessagePoll]
    task: NotRequired[MessageTask]
    call: NotRequired[Call]
    location: NotRequired[Location]
    contact: NotRequired[Contact]
    forwarded: NotRequired[MessageForwarded]
    preview: NotRequired[MessagePreview]
    stream: NotRequired[StreamState]
    # Steps of the bot’s work, from first to last
    steps: NotRequired[List[MessageStep]]
    # Sources of the text; the first is number 1
    sources: NotRequired[List[MessageSource]]
    actions: NotRequired[MessageActions]
    # Whom the text mentions by `<@everyone>`, `<@here>` and `<@tag>`, besides `mentions`
    groupMentions: NotRequired[MessageGroupMentions]
    # The assistant that wrote this for the person, if one did
    assistant: NotRequired[MessageAssistant]
    attachments: List[Attachment]
    mentions: List[Mention]
    mentionedProfiles: List[str]
    reactions: List[ReactionCount]


class ContextMessageFile(TypedDict):
    # `att_<uuid>`
    id: str
    # Original file name
    name: NotRequired[str]
    contentType: str
    # The text inside the file, or what a voice message says
    text: NotRequired[str]
    # True where `text` was cut to fit
    truncated: NotRequired[bool]
    # True while the server has not read the file yet
    pending: NotRequired[bool]


class ContextMessage(TypedDict):
    # The message
    id: str
    # On replies: the message that is replied to
    parentId: NotRequired[str]
    # A person (`<uuid>`) or a bot (`b@<uuid>`)
    senderId: str
    senderName: str
    # When it was sent
    createdAt: int
    # The content in words, with names in place of mentions; polls, tasks and places too
    text: str
    # True where `text` was cut to fit
    truncated: NotRequired[bool]
    # On messages with files
    files: NotRequired[List[ContextMessageFile]]


class TopicContextTopic(TypedDict):
    # The topic
    id: str
    name: str
    # Empty when there is none
    description: str
    type: Literal["topic", "dm"]


class TopicContextPeople(TypedDict):
    # A person (`<uuid>`) or a bot (`b@<uuid>`)
    id: str
    name: str
    type: Literal["user", "bot"]


class TopicContext(TypedDict):
    # Given to callers who may read topics (`channel:read`)
    topic: NotRequired[TopicContextTopic]
    # The message that began the thread of `message`, if it is in one
    threadId: NotRequired[str]
    # The oldest first
    messages: List[ContextMessage]
    # The senders of these messages, and the members mentioned in them
    people: List[TopicContextPeople]
    # The estimated size of this answer
    tokens: int
    # Whether messages were left out
    hasMore: bool


class Topic(TypedDict):
    # The topic
    id: str
    # A direct message has the names of the others
    name: str
    # Empty when there is none
    description: str
    type: Literal["topic", "dm"]
    # `announcement`: only admins and bots write there
    properties: List[Literal["announcement"]]
    # At most one
    labels: List[str]
    # `<bot_id>:<your_external_id>`
    externalId: NotRequired[str]
    # Signed link to the cover image
    coverUrl: NotRequired[str]
    # True where every person of the organization can join it
    open: NotRequired[bool]
    # When it was archived; missing if it is not archived
    archivedAt: NotRequired[int]
    # When it was created
    createdAt: int
    # When it last changed
    updatedAt: int
    memberIds: List[str]


class TopicListItem(TypedDict):
    # The topic
    id: str
    # A direct message has the names of the others
    name: str
    # Empty when there is none
    description: str
    type: Literal["topic", "dm"]
    # `announcement`: only admins and bots write there
    properties: List[Literal["announcement"]]
    # At most one
    labels: List[str]
    # `<bot_id>:<your_external_id>`
    externalId: NotRequired[str]
    # Signed link to the cover image
    coverUrl: NotRequired[str]
    # True where every person of the organization can join it
    open: NotRequired[bool]
    # When it was archived; missing if it is not archived
    archivedAt: NotRequired[int]
    # When it was created
    createdAt: int
    # When it last changed
    updatedAt: int
    members: List[str]


class Label(TypedDict):
    # The label
    id: str
    name: str


class Reaction(TypedDict):
    # The reaction
    id: str
    # The message
    messageId: str
    # The emoji
    reaction: str
    # When it was added
    createdAt: int


class Task(TypedDict):
    # The task
    id: str
    # Its topic
    topicId: str
    title: str
    # Empty when there is none
    description: str
    status: Literal["Open", "Done"]
    # Profile id; empty when unassigned
    assignee: str
    # Unix time in ms; 0 when unset
    dueDate: int
    # True exactly when `dueDate` is set
    isDueDateTimeSelected: bool
    # Its number in the topic, from 0
    index: int
    # The task that it is part of
    parentId: NotRequired[str]
    # The number of its parts
    subItemsCount: int
    # As given on creation
    externalId: NotRequired[str]
    # When it was created
    createdAt: int
    # When it last changed
    updatedAt: int


class PollOption(TypedDict):
    # 6 lowercase letters and digits
    id: str
    text: str


class Poll(TypedDict):
    # The poll
    id: str
    # Its topic
    topicId: str
    question: str
    subtitle: NotRequired[str]
    options: List[PollOption]
    selectionType: Literal["single", "multiple"]
    anonymous: bool
    status: Literal["active", "closed"]
    # When it stops taking votes
    expiresAt: NotRequired[int]
    # When it was created
    createdAt: int


class PollVote(TypedDict):
    # `<attachmentId>_<optionId>_<voterProfileId>`
    id: str
    # The poll
    attachmentId: str
    optionId: str
    # When the vote was cast
    createdAt: int


class Member(TypedDict):
    # A person (`<uuid>`) or a bot (`b@<uuid>`)
    id: str
    type: Literal["user", "bot"]
    name: str
    # Empty for bots
    email: str
    # May be empty
    phone: str
    # Set by the integration
    externalId: NotRequired[str]
    # A guest: they see their own topics alone, and the members of those
    guest: NotRequired[Literal[True]]
    status: Literal["Pending", "Active", "Deleted", "Archived"]
    # When the profile was made
    createdAt: int
    # When it last changed
    updatedAt: int


class OrgUnit(TypedDict):
    # The org unit
    id: str
    name: str
    # Unique in the organization; mentioned as `@tag`
    tag: str
    type: Literal["Team", "Location"]
    memberIds: List[str]
    # When it was created
    createdAt: int
    # When it last changed
    updatedAt: int


class QuestionAnswer(TypedDict):
    # The person who answered
    userId: str
    userName: str
    # The button, choice or form
    elementId: str
    # The value of the button or of the chosen option
    value: NotRequired[str]
    # The values of a form, by the id of the field
    values: NotRequired[Dict[str, str]]
    # When
    createdAt: int


class Question(TypedDict):
    # The question
    id: str
    # The message that shows it
    messageId: str
    # The topic
    topicId: str
    # `answered`: enough people gave the same answer; `expired`: its time was over, and `otherwise` counts; `withdrawn`: the message was deleted, or asks something else
    status: Literal["open", "answered", "expired", "withdrawn"]
    # The element that counts: the answer, or `otherwise` of a question that expired
    elementId: NotRequired[str]
    # The value of it
    value: NotRequired[str]
    # Contents of the form, of the answer that decided
    values: NotRequired[Dict[str, str]]
    quorum: int
    # Answers stand in the audit log of the organization
    approval: bool
    # The first 100 answers, from first to last
    answers: List[QuestionAnswer]
    # No answer is taken from then on
    expiresAt: int
    # When it was asked
    createdAt: int
    # When it was answered, expired or was withdrawn
    closedAt: NotRequired[int]


class StorageEntry(TypedDict):
    key: str
    # Grows with each change; no two values of a bot ever had the same one
    version: int
    # The size of the value, as JSON in UTF-8
    bytes: int
    # When it was written last
    updatedAt: int


class StoredValue(TypedDict):
    key: str
    # Grows with each change; no two values of a bot ever had the same one
    version: int
    # The size of the value, as JSON in UTF-8
    bytes: int
    # When it was written last
    updatedAt: int
    # Any JSON
    value: Any


class MessageCreated(TypedDict):
    message: EventMessage
    # A text in the payload was cut at 10000 code points
    truncated: bool


class MessageUpdatedMessage(TypedDict):
    # The message
    id: str
    # Its topic
    topicId: str
    # A person (`<uuid>`) or a bot (`b@<uuid>`)
    senderId: str
    senderName: str
    senderType: Literal["user", "bot"]
    type: Literal["text", "image", "file", "video", "audio", "location", "task", "contact", "poll", "call"]
    # Mentions stand in it as `<@profileId>`, `<@everyone>`, `<@here>` and `<@tag>` of a group
    text: str
    # When it was sent
    createdAt: int
    # When it last changed
    updatedAt: int
    isEdited: bool
    isSystem: bool
    # A text was cut at 10000 code points
    truncated: bool
    # On messages with files that appeared after newer ones: their place in the order of appearance
    appearedId: NotRequired[str]
    # On replies: the message that is replied to
    parentId: NotRequired[str]
    # The id that the sender gave it
    externalId: NotRequired[str]
    poll: NotRequired[MessagePoll]
    task: NotRequired[MessageTask]
    call: NotRequired[Call]
    location: NotRequired[Location]
    contact: NotRequired[Contact]
    forwarded: NotRequired[MessageForwarded]
    preview: NotRequired[MessagePreview]
    stream: NotRequired[StreamState]
    # Steps of the bot’s work, from first to last
    steps: NotRequired[List[MessageStep]]
    # Sources of the text; the first is number 1
    sources: NotRequired[List[MessageSource]]
    actions: NotRequired[MessageActions]
    # Whom the text mentions by `<@everyone>`, `<@here>` and `<@tag>`, besides `mentions`
    groupMentions: NotRequired[MessageGroupMentions]
    # The assistant that wrote this for the person, if one did
    assistant: NotRequired[MessageAssistant]
    attachments: List[Attachment]
    mentions: List[Mention]
    mentionedProfiles: List[str]
    reactions: List[ReactionCount]
    # The text before the edit, for bots alone; gone once it is edited again or deleted
    previousText: NotRequired[str]
    # Members whom the former text mentioned, in place of `previousText` if that is gone
    previousMentions: NotRequired[List[str]]


class MessageUpdated(TypedDict):
    message: MessageUpdatedMessage
    # A text in the payload was cut at 10000 code points
    truncated: bool
    # Names of the fields that changed
    updatedFields: List[str]


class MessageDeletedMessage(TypedDict):
    # The message
    id: str
    # The topic
    topicId: str
    # A person (`<uuid>`) or a bot (`b@<uuid>`)
    senderId: str


class MessageDeleted(TypedDict):
    # The message
    messageId: str
    # The topic
    topicId: str
    # When it was deleted
    deletedAt: int
    # A person (`<uuid>`) or a bot (`b@<uuid>`)
    deletedBy: str
    message: MessageDeletedMessage
    # `retention`: its time was over; `erasure`: the data of its sender was deleted. `deletedBy` is the sender. Missing if a member deleted it
    reason: NotRequired[Literal["retention", "erasure"]]
    # All messages of the topic that were deleted together, the oldest first; given with `reason`. `message` is the first of them
    messages: NotRequired[List[MessageDeletedMessage]]


class ReactionEventReaction(TypedDict):
    # The reaction
    id: str
    # The message
    messageId: str
    # The topic
    topicId: str
    # Who reacted
    userId: str
    emoji: str


class ReactionEvent(TypedDict):
    # The message
    messageId: str
    # The topic
    topicId: str
    emoji: str
    # Who reacted
    userId: str
    # The reaction
    reactionId: str
    # When it happened
    createdAt: int
    reaction: ReactionEventReaction


class MembersEvent(TypedDict):
    # The topic
    topicId: str
    memberIds: List[str]
    # The member, if it is only one
    memberId: NotRequired[str]
    # The kind of the member, if it is only one
    memberType: NotRequired[Literal["user", "bot"]]
    # Who did it
    actorId: str
    # When it happened
    createdAt: int


class TopicUpdatedChanges(TypedDict):
    name: NotRequired[str]
    description: NotRequired[str]
    # Every person of the organization can join it
    open: NotRequired[bool]
    # New people are in it from the start
    joinedByDefault: NotRequired[bool]
    # Only admins and bots write there
    announcement: NotRequired[bool]
    # The topic takes no more messages
    archived: NotRequired[bool]
    labelId: NotRequired[str | None]


class TopicUpdated(TypedDict):
    # The topic
    topicId: str
    name: NotRequired[str]
    description: NotRequired[str]
    # Every person of the organization can join it
    open: NotRequired[bool]
    # New people are in it from the start
    joinedByDefault: NotRequired[bool]
    # Only admins and bots write there
    announcement: NotRequired[bool]
    # The topic takes no more messages
    archived: NotRequired[bool]
    labelId: NotRequired[str | None]
    # Who did it
    actorId: str
    # The new value of each field that changed
    changes: TopicUpdatedChanges


class PollVoteEvent(TypedDict):
    pollVoteId: str
    attachmentId: str
    # The message
    messageId: str
    # The topic
    topicId: str
    optionId: str
    # Who voted
    voterId: str
    # When it happened
    createdAt: int


class MessageActionEvent(TypedDict):
    # The answer
    actionId: str
    # The message
    messageId: str
    # The topic
    topicId: str
    # Who answered
    userId: str
    # The name at that time
    userName: str
    # The button, choice or form
    elementId: str
    # The value of the button or of the chosen option
    value: NotRequired[str]
    # The values of a form, by the id of the field
    values: NotRequired[Dict[str, str]]
    # When it happened
    createdAt: int


class QuestionClosedEvent(TypedDict):
    # The question
    questionId: str
    # The message
    messageId: str
    # The topic
    topicId: str
    status: Literal["answered", "expired", "withdrawn"]
    # What counts
    elementId: NotRequired[str]
    # The value of it
    value: NotRequired[str]
    # When
    closedAt: int
    # When it happened
    createdAt: int


class MessageCommandEvent(TypedDict):
    # The message
    messageId: str
    # The topic
    topicId: str
    # The message that it replies to, in a thread
    parentId: NotRequired[str]
    # The person who answered
    userId: str
    # The name at that time
    userName: str
    # The command, without `/`
    name: str
    # The arguments by their names, or the values of the form by the ids of its fields; those left out are missing
    arguments: Dict[str, str]
    # All that was written after the command
    text: str
    # When it happened
    createdAt: int


class ScheduledMessageFailedEvent(TypedDict):
    # The scheduled message
    scheduledMessageId: str
    # The topic
    topicId: str
    # Your own id for it
    externalId: NotRequired[str]
    # The refusal that sending it got
    reason: str
    # When it happened
    createdAt: int


class UpdateMessageCreated(TypedDict):
    # `evt_<uuid>`; also a valid `offset`
    updateId: str
    eventType: Literal["message.created"]
    # When the change was committed
    createdAt: int
    data: MessageCreated


class UpdateMessageUpdated(TypedDict):
    # `evt_<uuid>`; also a valid `offset`
    updateId: str
    eventType: Literal["message.updated"]
    # When the change was committed
    createdAt: int
    data: MessageUpdated


class UpdateMessageDeleted(TypedDict):
    # `evt_<uuid>`; also a valid `offset`
    updateId: str
    eventType: Literal["message.deleted"]
    # When the change was committed
    createdAt: int
    data: MessageDeleted


class UpdateReactionAdded(TypedDict):
    # `evt_<uuid>`; also a valid `offset`
    updateId: str
    eventType: Literal["reaction.added"]
    # When the change was committed
    createdAt: int
    data: ReactionEvent


class UpdateReactionRemoved(TypedDict):
    # `evt_<uuid>`; also a valid `offset`
    updateId: str
    eventType: Literal["reaction.removed"]
    # When the change was committed
    createdAt: int
    data: ReactionEvent


class UpdateMemberAdded(TypedDict):
    # `evt_<uuid>`; also a valid `offset`
    updateId: str
    eventType: Literal["member.added"]
    # When the change was committed
    createdAt: int
    data: MembersEvent


class UpdateMemberRemoved(TypedDict):
    # `evt_<uuid>`; also a valid `offset`
    updateId: str
    eventType: Literal["member.removed"]
    # When the change was committed
    createdAt: int
    data: MembersEvent


class UpdateTopicUpdated(TypedDict):
    # `evt_<uuid>`; also a valid `offset`
    updateId: str
    eventType: Literal["topic.updated"]
    # When the change was committed
    createdAt: int
    data: TopicUpdated


class UpdatePollVoteCreated(TypedDict):
    # `evt_<uuid>`; also a valid `offset`
    updateId: str
    eventType: Literal["poll_vote.created"]
    # When the change was committed
    createdAt: int
    data: PollVoteEvent


class UpdatePollVoteDeleted(TypedDict):
    # `evt_<uuid>`; also a valid `offset`
    updateId: str
    eventType: Literal["poll_vote.deleted"]
    # When the change was committed
    createdAt: int
    data: PollVoteEvent


class UpdateMessageAction(TypedDict):
    # `evt_<uuid>`; also a valid `offset`
    updateId: str
    eventType: Literal["message.action"]
    # When the change was committed
    createdAt: int
    data: MessageActionEvent


class UpdateQuestionClosed(TypedDict):
    # `evt_<uuid>`; also a valid `offset`
    updateId: str
    eventType: Literal["question.closed"]
    # When the change was committed
    createdAt: int
    data: QuestionClosedEvent


class UpdateMessageCommand(TypedDict):
    # `evt_<uuid>`; also a valid `offset`
    updateId: str
    eventType: Literal["message.command"]
    # When the change was committed
    createdAt: int
    data: MessageCommandEvent


class UpdateScheduledMessageFailed(TypedDict):
    # `evt_<uuid>`; also a valid `offset`
    updateId: str
    eventType: Literal["scheduled_message.failed"]
    # When the change was committed
    createdAt: int
    data: ScheduledMessageFailedEvent


Update = Union[
    UpdateMessageCreated,
    UpdateMessageUpdated,
    UpdateMessageDeleted,
    UpdateReactionAdded,
    UpdateReactionRemoved,
    UpdateMemberAdded,
    UpdateMemberRemoved,
    UpdateTopicUpdated,
    UpdatePollVoteCreated,
    UpdatePollVoteDeleted,
    UpdateMessageAction,
    UpdateQuestionClosed,
    UpdateMessageCommand,
    UpdateScheduledMessageFailed,
]


class WebhookEventMessageCreated(TypedDict):
    # `evt_<uuid>`; the same in every delivery mode and every retry
    id: str
    type: Literal["message.created"]
    eventVersion: Literal[1]
    # When the change was committed
    timestamp: int
    data: MessageCreated


class WebhookEventMessageUpdated(TypedDict):
    # `evt_<uuid>`; the same in every delivery mode and every retry
    id: str
    type: Literal["message.updated"]
    eventVersion: Literal[1]
    # When the change was committed
    timestamp: int
    data: MessageUpdated


class WebhookEventMessageDeleted(TypedDict):
    # `evt_<uuid>`; the same in every delivery mode and every retry
    id: str
    type: Literal["message.deleted"]
    eventVersion: Literal[1]
    # When the change was committed
    timestamp: int
    data: MessageDeleted


class WebhookEventReactionAdded(TypedDict):
    # `evt_<uuid>`; the same in every delivery mode and every retry
    id: str
    type: Literal["reaction.added"]
    eventVersion: Literal[1]
    # When the change was committed
    timestamp: int
    data: ReactionEvent


class WebhookEventReactionRemoved(TypedDict):
    # `evt_<uuid>`; the same in every delivery mode and every retry
    id: str
    type: Literal["reaction.removed"]
    eventVersion: Literal[1]
    # When the change was committed
    timestamp: int
    data: ReactionEvent


class WebhookEventMemberAdded(TypedDict):
    # `evt_<uuid>`; the same in every delivery mode and every retry
    id: str
    type: Literal["member.added"]
    eventVersion: Literal[1]
    # When the change was committed
    timestamp: int
    data: MembersEvent


class WebhookEventMemberRemoved(TypedDict):
    # `evt_<uuid>`; the same in every delivery mode and every retry
    id: str
    type: Literal["member.removed"]
    eventVersion: Literal[1]
    # When the change was committed
    timestamp: int
    data: MembersEvent


class WebhookEventTopicUpdated(TypedDict):
    # `evt_<uuid>`; the same in every delivery mode and every retry
    id: str
    type: Literal["topic.updated"]
    eventVersion: Literal[1]
    # When the change was committed
    timestamp: int
    data: TopicUpdated


class WebhookEventPollVoteCreated(TypedDict):
    # `evt_<uuid>`; the same in every delivery mode and every retry
    id: str
    type: Literal["poll_vote.created"]
    eventVersion: Literal[1]
    # When the change was committed
    timestamp: int
    data: PollVoteEvent


class WebhookEventPollVoteDeleted(TypedDict):
    # `evt_<uuid>`; the same in every delivery mode and every retry
    id: str
    type: Literal["poll_vote.deleted"]
    eventVersion: Literal[1]
    # When the change was committed
    timestamp: int
    data: PollVoteEvent


class WebhookEventMessageAction(TypedDict):
    # `evt_<uuid>`; the same in every delivery mode and every retry
    id: str
    type: Literal["message.action"]
    eventVersion: Literal[1]
    # When the change was committed
    timestamp: int
    data: MessageActionEvent


class WebhookEventQuestionClosed(TypedDict):
    # `evt_<uuid>`; the same in every delivery mode and every retry
    id: str
    type: Literal["question.closed"]
    eventVersion: Literal[1]
    # When the change was committed
    timestamp: int
    data: QuestionClosedEvent


class WebhookEventMessageCommand(TypedDict):
    # `evt_<uuid>`; the same in every delivery mode and every retry
    id: str
    type: Literal["message.command"]
    eventVersion: Literal[1]
    # When the change was committed
    timestamp: int
    data: MessageCommandEvent


class WebhookEventScheduledMessageFailed(TypedDict):
    # `evt_<uuid>`; the same in every delivery mode and every retry
    id: str
    type: Literal["scheduled_message.failed"]
    eventVersion: Literal[1]
    # When the change was committed
    timestamp: int
    data: ScheduledMessageFailedEvent


WebhookEvent = Union[
    WebhookEventMessageCreated,
    WebhookEventMessageUpdated,
    WebhookEventMessageDeleted,
    WebhookEventReactionAdded,
    WebhookEventReactionRemoved,
    WebhookEventMemberAdded,
    WebhookEventMemberRemoved,
    WebhookEventTopicUpdated,
    WebhookEventPollVoteCreated,
    WebhookEventPollVoteDeleted,
    WebhookEventMessageAction,
    WebhookEventQuestionClosed,
    WebhookEventMessageCommand,
    WebhookEventScheduledMessageFailed,
]


class ReadUpdatesAnswer(TypedDict):
    updates: List[Update]
    nextOffset: str


class ListTopicsAnswer(TypedDict):
    topics: List[TopicListItem]
    nextCursor: NotRequired[str]
    hasMore: bool


class CreateTopicAnswer(TypedDict):
    # The topic
    id: str
    name: str
    members: List[str]
    # Qualified; only if one was given
    externalId: NotRequired[str]
    # When it was created
    createdAt: int


class AddTopicMembersAnswer(TypedDict):
    # The topic
    id: str
    # All current members
    memberIds: List[str]
    # When it last changed
    updatedAt: int


class ListLabelsAnswer(TypedDict):
    labels: List[Label]


class AddTopicLabelAnswer(TypedDict):
    # The topic
    id: str
    labels: List[str]
    # When it last changed
    updatedAt: int


class SendMessageAnswer(TypedDict):
    # The message
    id: str
    # The topic
    topicId: str
    # When it was sent
    createdAt: int
    # The time at which a scheduled message is sent; `id` is then the id of the scheduled message
    sendAt: NotRequired[int]
    # Whether it waits for a review, as the scheduled message `id`
    held: NotRequired[Literal[True]]


class AppendToMessageAnswer(TypedDict):
    # The message
    id: str
    # The length of its text now, in code points
    length: int
    # Milliseconds in which a body of plain text came in. Far fewer than sending it took: a proxy holds bodies back until they are whole
    bodyMs: NotRequired[int]


class FinishMessageAnswer(TypedDict):
    # The message
    id: str
    # The topic
    topicId: str
    # When it was begun
    createdAt: int


class ListMessagesAnswer(TypedDict):
    messages: List[Message]
    nextCursor: NotRequired[str]
    hasMore: bool


class EditMessageAnswer(TypedDict):
    # The message
    id: str
    # When it was edited
    updatedAt: int


class MarkDeliveredAnswer(TypedDict):
    # The message
    messageId: str
    # The first time
    deliveredAt: int


class MarkReadAnswer(TypedDict):
    # The message
    messageId: str
    # The first time
    readAt: int


class ListScheduledMessagesAnswerScheduledMessage(TypedDict):
    # The scheduled message; the message that it becomes has another id
    id: str
    # The topic
    topicId: str
    text: str
    # The message is sent with its `actions`
    hasActions: NotRequired[Literal[True]]
    # The message that it replies to
    parentId: NotRequired[str]
    # Your own id for it
    externalId: NotRequired[str]
    # When it is sent
    sendAt: int
    # `failed`: it could not be sent, and is not tried again; `held`: it waits for a review
    state: Literal["scheduled", "failed", "held"]
    # Why it waits for a review
    heldReason: NotRequired[str]
    # The refusal that sending it would have got, if it failed
    reason: NotRequired[str]
    # The code of that refusal
    reasonCode: NotRequired[str]
    # When it was scheduled
    createdAt: int
    # When it was last changed, or failed
    updatedAt: int


class ListScheduledMessagesAnswer(TypedDict):
    scheduledMessages: List[ListScheduledMessagesAnswerScheduledMessage]
    nextCursor: NotRequired[str]
    hasMore: bool


class SendScheduledMessageAnswer(TypedDict):
    # The message
    id: str
    # The topic
    topicId: str
    # When it was sent
    createdAt: int


class ListCommandsAnswerCommandArgument(TypedDict):
    name: str
    description: NotRequired[str]
    # The kind of its value, `text` by default. `person`: a mention, its value is the profile id; `topic`: a link to a topic of the writer, its value is the id; `date`: `2027-01-31`; `choice`: one of `options`
    type: NotRequired[Literal["text", "number", "date", "person", "topic", "choice"]]
    # Whether a command without it is refused
    required: NotRequired[bool]
    # The options of a `choice`
    options: NotRequired[List[str]]


class ListCommandsAnswerCommand(TypedDict):
    name: str
    description: str
    arguments: List[ListCommandsAnswerCommandArgument]
    # The fields of its form
    fields: NotRequired[List[MessageActionsElementField]]


class ListCommandsAnswer(TypedDict):
    commands: List[ListCommandsAnswerCommand]


class SetCommandsCommandArgument(TypedDict):
    # The name of the argument in the event
    name: str
    # A hint about what to write
    description: NotRequired[str]
    # The kind of its value, `text` by default. `person`: a mention, its value is the profile id; `topic`: a link to a topic of the writer, its value is the id; `date`: `2027-01-31`; `choice`: one of `options`
    type: NotRequired[Literal["text", "number", "date", "person", "topic", "choice"]]
    # Whether a command without it is refused
    required: NotRequired[bool]
    # The options of a `choice`
    options: NotRequired[List[str]]


class SetCommandsCommand(TypedDict):
    # The word that people write after `/`: up to 32 lower-case letters, digits, `_` and `-`, beginning with a letter
    name: str
    # A short description of the command
    description: str
    # Arguments in their order; the last one takes the rest of the text
    arguments: NotRequired[List[SetCommandsCommandArgument]]
    # Makes the command open a form; its values come as `arguments`
    fields: NotRequired[List[ActionsInputElementField]]


class ListPromptsAnswer(TypedDict):
    prompts: List[str]


class ListEmojiAnswerEmoji(TypedDict):
    # The name, written between colons, such as `:party_parrot:`
    name: str
    # A link to the picture, which expires
    url: str
    # The member who added it
    createdBy: str
    # When it was added
    createdAt: int


class ListEmojiAnswer(TypedDict):
    emoji: List[ListEmojiAnswerEmoji]


class ListTasksAnswer(TypedDict):
    tasks: List[Task]
    nextCursor: NotRequired[str]
    hasMore: bool


class CreateTaskAnswer(TypedDict):
    # The task
    id: str
    # Its topic
    topicId: str
    title: str
    # When it was created
    createdAt: int


class UpdateTaskAnswer(TypedDict):
    # The task
    id: str
    # When it was changed
    updatedAt: int


class ListMembersAnswer(TypedDict):
    members: List[Member]
    nextCursor: NotRequired[str]
    hasMore: bool


class ListOrgUnitsAnswer(TypedDict):
    orgUnits: List[OrgUnit]
    nextCursor: NotRequired[str]
    hasMore: bool


class AddOrgUnitMembersAnswer(TypedDict):
    # The org unit
    id: str
    # All current members
    memberIds: List[str]


class ListGroupsAnswerGroup(TypedDict):
    # The group, or the org unit
    id: str
    # `group`: members made it; `unit`: an org unit, which admins manage
    kind: Literal["group", "unit"]
    name: str
    # Mentioned as `<@tag>`
    tag: str
    # The purpose of the group; empty for org units
    description: str
    # The owner, who changes the group beside admins; org units have none
    ownerId: NotRequired[str]
    # People and bots
    memberCount: int
    # Whether the caller is in it
    isMember: bool
    # When it was created
    createdAt: int
    # When it last changed
    updatedAt: int


class ListGroupsAnswer(TypedDict):
    groups: List[ListGroupsAnswerGroup]
    nextCursor: NotRequired[str]
    hasMore: bool


class ListGroupMembersAnswer(TypedDict):
    members: List[TopicContextPeople]
    nextCursor: NotRequired[str]
    hasMore: bool


class SearchAnswerResultTopic(TypedDict):
    # The topic
    id: str
    type: Literal["topic", "dm"]
    # The name of the topic; of a direct message, the names of its other members
    name: str


class SearchAnswerResultExcerptPart(TypedDict):
    text: str
    # Whether this part is what was searched for
    hit: bool


class SearchAnswerResultExcerpt(TypedDict):
    # The text itself, or what else belongs to it
    source: Literal["text", "file", "fileText", "transcription", "task", "poll", "location", "contact"]
    # Plain text in pieces: put together they are the text, and nothing in them is markup
    parts: List[SearchAnswerResultExcerptPart]


class SearchAnswerResult(TypedDict):
    message: Message
    topic: SearchAnswerResultTopic
    # The passage that was found; the beginning of the text if only filters were given
    excerpts: List[SearchAnswerResultExcerpt]


class SearchAnswerTopic(TypedDict):
    # The topic
    id: str
    # Plain text in pieces: put together they are the text, and nothing in them is markup
    name: List[SearchAnswerResultExcerptPart]
    # Plain text in pieces: put together they are the text, and nothing in them is markup
    description: List[SearchAnswerResultExcerptPart]


class SearchAnswerMember(TypedDict):
    # A person (`<uuid>`) or a bot (`b@<uuid>`)
    id: str
    type: Literal["user", "bot"]
    # Plain text in pieces: put together they are the text, and nothing in them is markup
    name: List[SearchAnswerResultExcerptPart]


class SearchAnswerCorrection(TypedDict):
    # A word of the search that hardly occurs
    word: str
    # Words in the results that are one letter away
    instead: List[str]


class SearchAnswer(TypedDict):
    results: List[SearchAnswerResult]
    nextCursor: NotRequired[str]
    hasMore: bool
    # Topics by name and description: at most 5 on the first page of a search without filters, all of them with `kind=topics`
    topics: List[SearchAnswerTopic]
    # People and bots by name: at most 5 on the first page of a search without filters, all of them with `kind=members`
    members: List[SearchAnswerMember]
    # Words that were probably misspelled; messages with those instead are among the results
    corrections: List[SearchAnswerCorrection]
    # False while older messages are being prepared for search; newer ones are found already
    isComplete: bool


class ListStorageAnswer(TypedDict):
    entries: List[StorageEntry]
    nextCursor: NotRequired[str]
    hasMore: bool


class ReadUsageAnswer(TypedDict):
    # Messages that it sent today, counted while it has a budget; up to a second old
    messages: int
    # Tokens that it reported today
    tokens: int
    # Messages that it may use in a day; missing: as many as it likes
    messagesPerDay: NotRequired[int]
    # Tokens that it may use in a day; missing: as many as it likes
    tokensPerDay: NotRequired[int]
    # When the day ends: at midnight UTC
    endsAt: int


#: Codes of refusals, as `ParleyError.code` has them.
ErrorCode = Literal[
    "action_ids_repeated",
    "action_not_found",
    "action_option_values_repeated",
    "action_options_misplaced",
    "action_people_invalid",
    "action_people_misplaced",
    "action_range_invalid",
    "actions_too_large",
    "body_incomplete",
    "body_not_object",
    "body_not_utf8",
    "body_too_large",
    "bot_budget_spent",
    "bot_paused",
    "bots_slowed",
    "bots_stopped",
    "characters_not_allowed",
    "command_ambiguous",
    "command_argument_missing",
    "command_argument_wrong",
    "command_arguments_invalid",
    "command_fields_too_large",
    "command_form_missing",
    "command_names_repeated",
    "concurrency_limited",
    "connections_full",
    "connections_limited",
    "content_type_unsupported",
    "cursor_invalid",
    "direct_messages_off",
    "disk_full",
    "expiry_not_in_future",
    "field_invalid",
    "field_misplaced",
    "field_out_of_range",
    "field_required",
    "field_too_long",
    "field_too_short",
    "fields_conflict",
    "fields_missing",
    "file_empty",
    "file_limit_reached",
    "file_too_large",
    "forbidden",
    "forward_not_combinable",
    "group_not_found",
    "guests_for_admins",
    "idempotency_key_invalid",
    "idempotency_key_reused",
    "image_invalid",
    "image_pixels_exceeded",
    "image_queue_full",
    "image_too_large",
    "image_too_slow",
    "image_type_unsupported",
    "internal_error",
    "invalid_client",
    "invalid_grant",
    "invalid_request",
    "label_name_taken",
    "malformed_form",
    "malformed_json",
    "malformed_path",
    "malformed_request",
    "member_invalid",
    "member_not_found",
    "mention_invalid",
    "mention_people_full",
    "mention_too_large",
    "message_check_away",
    "message_held",
    "message_not_editable",
    "message_not_forwardable",
    "message_not_found",
    "message_refused",
    "not_found",
    "not_in_rehearsals",
    "offset_gone",
    "offset_invalid",
    "option_id_invalid",
    "org_unit_not_found",
    "organization_not_created",
    "part_limit_reached",
    "part_repeated",
    "part_too_large",
    "plain_text_needs_token",
    "plain_text_not_utf8",
    "plain_text_takes_no_key",
    "poll_anonymous",
    "poll_closed",
    "poll_expired",
    "poll_not_found",
    "polling_not_enabled",
    "polls_waiting",
    "private_answer_member_invalid",
    "private_answer_not_found",
    "progress_too_large",
    "question_answered",
    "question_expiry_too_far",
    "question_key_taken",
    "question_not_found",
    "questions_full",
    "rate_limited",
    "reaction_not_emoji",
    "reaction_not_found",
    "rehearsal_full",
    "rehearsal_over",
    "request_too_slow",
    "scheduled_message_held",
    "scheduled_message_not_found",
    "scheduled_messages_full",
    "search_day_invalid",
    "search_kind_unknown",
    "search_operator_unknown",
    "search_period_combined",
    "search_state_unknown",
    "search_too_long",
    "send_time_invalid",
    "server_busy",
    "step_ids_repeated",
    "storage_full",
    "storage_key_not_found",
    "storage_keys_full",
    "storage_quota_exceeded",
    "storage_value_inexact",
    "storage_value_too_deep",
    "storage_value_too_large",
    "storage_version_conflict",
    "stream_finished",
    "stream_gap",
    "stream_stopped",
    "stream_taken_over",
    "streams_full",
    "task_not_found",
    "temporarily_unavailable",
    "topic_archived",
    "topic_external_id_taken",
    "topic_has_label",
    "topic_id_needed_with_status",
    "topic_ids_differ",
    "topic_is_direct",
    "topic_member_known",
    "topic_not_found",
    "unauthorized",
    "unsupported_grant_type",
    "vote_not_found",
    "word_blocked",
]

#: What `bot.on` takes: `message`, `action` and `command`, and the events of the API by their own names.
EventName = Literal[
    "message",
    "action",
    "command",
    "message.created",
    "message.updated",
    "message.deleted",
    "reaction.added",
    "reaction.removed",
    "member.added",
    "member.removed",
    "topic.updated",
    "poll_vote.created",
    "poll_vote.deleted",
    "message.action",
    "question.closed",
    "message.command",
    "scheduled_message.failed",
]


class Operations:
    """A method for each operation, which waits for the answer."""

    def _call(self, operation: str, values: Dict[str, Any], **options: Any) -> Any:
        raise NotImplementedError

    def read_updates(self, *, offset: str | None = None, confirm: str | None = None, limit: int | None = None, timeout: int | None = None) -> ReadUpdatesAnswer:
        """Receive events by long polling

        offset: `nextOffset` of the answer before, an `updateId`, `oldest` for everything that is kept, or `newest` for what comes from now on
        confirm: Given by a bot that reads ahead of what it has finished: everything up to this `nextOffset` or `updateId` is confirmed, or `nothing`, and not what is before `offset`
        limit: Events at most
        timeout: Seconds to wait when there is nothing
        """
        return self._call("readUpdates", {"offset": offset, "confirm": confirm, "limit": limit, "timeout": timeout})

    def list_topics(self, *, limit: int | None = None, cursor: str | None = None) -> ListTopicsAnswer:
        """List the topics of the bot

        limit: Items per page
        cursor: `nextCursor` of the page before
        """
        return self._call("listTopics", {"limit": limit, "cursor": cursor})

    def read_topic(self, topic_id: str) -> Topic:
        """Read a topic

        topic_id: The topic
        """
        return self._call("readTopic", {"topicId": topic_id})

    def read_topic_by_external_id(self, external_id: str) -> Topic:
        """Read a topic by its external id

        external_id: Short or qualified, percent-encoded
        """
        return self._call("readTopicByExternalId", {"externalId": external_id})

    def create_topic(self, *, name: str, members: List[str], description: str | None = None, external_id: str | None = None, file: FileInput | None = None, idempotency_key: str | None = None) -> CreateTopicAnswer:
        """Create a topic

        name: Name of the topic
        members: Profile ids besides the bot; may be empty
        description: A sentence about the topic
        external_id: Your own id for it, unique for this bot; no control characters
        file: A cover image: JPEG or PNG, cut to a square around its middle
        idempotency_key: Repeating the call with the same key gives the first answer again
        """
        return self._call("createTopic", {"name": name, "members": members, "description": description, "externalId": external_id}, files=None if file is None else [file], idempotency_key=idempotency_key)

    def start_direct_message(self, *, member_id: str, idempotency_key: str | None = None) -> Topic:
        """Open a direct message with a person

        member_id: A person who shares a topic with the bot
        idempotency_key: Repeating the call with the same key gives the first answer again
        """
        return self._call("startDirectMessage", {"memberId": member_id}, idempotency_key=idempotency_key)

    def update_topic(self, topic_id: str, *, name: str | None = None, description: str | None = None) -> Topic:
        """Rename or describe a topic

        topic_id: The topic
        name: Name of the topic
        description: A sentence about the topic
        """
        return self._call("updateTopic", {"topicId": topic_id, "name": name, "description": description})

    def add_topic_members(self, topic_id: str, *, member_ids: List[str], reach: Literal["everything", "threads", "mentions", "commands"] | None = None, idempotency_key: str | None = None) -> AddTopicMembersAnswer:
        """Add members to a topic

        topic_id: The topic
        member_ids: Profile ids, 1 to 5; duplicates are removed
        reach: Events that bots get from the topic. `everything`; `threads`: messages that mention them, and replies in threads that they wrote in; `mentions`: messages that mention them; `commands`: only their commands, and answers to their buttons. People are not affected
        idempotency_key: Repeating the call with the same key gives the first answer again
        """
        return self._call("addTopicMembers", {"topicId": topic_id, "memberIds": member_ids, "reach": reach}, idempotency_key=idempotency_key)

    def remove_topic_members(self, topic_id: str, *, member_ids: List[str]) -> AddTopicMembersAnswer:
        """Remove members from a topic

        topic_id: The topic
        member_ids: Profile ids, 1 to 5; duplicates are removed
        """
        return self._call("removeTopicMembers", {"topicId": topic_id, "memberIds": member_ids})

    def create_label(self, *, name: str, idempotency_key: str | None = None) -> Label:
        """Create a label of the organization

        name: Name of the label
        idempotency_key: Repeating the call with the same key gives the first answer again
        """
        return self._call("createLabel", {"name": name}, idempotency_key=idempotency_key)

    def list_labels(self) -> ListLabelsAnswer:
        """List the labels of the organization"""
        return self._call("listLabels", {})

    def add_topic_label(self, topic_id: str, *, label_id: str, idempotency_key: str | None = None) -> AddTopicLabelAnswer:
        """Put a label on a topic

        topic_id: The topic
        label_id: A label of the organization
        idempotency_key: Repeating the call with the same key gives the first answer again
        """
        return self._call("addTopicLabel", {"topicId": topic_id, "labelId": label_id}, idempotency_key=idempotency_key)

    def remove_topic_label(self, topic_id: str, label_id: str) -> AddTopicLabelAnswer:
        """Take a label off a topic

        topic_id: The topic
        label_id: The label
        """
        return self._call("removeTopicLabel", {"topicId": topic_id, "labelId": label_id})

    def send_message(self, *, topic_id: str, text: str | None = None, streaming: bool | None = None, actions: ActionsInput | None = None, forward_message_id: str | None = None, send_at: int | None = None, parent_id: str | None = None, also_in_topic: bool | None = None, external_id: str | None = None, caption: str | None = None, compress_image: bool | None = None, waveform: List[int] | None = None, files: Sequence[FileInput] | None = None, idempotency_key: str | None = None) -> SendMessageAnswer:
        """Send a message, or files

        topic_id: The topic
        text: The text; required unless it is streamed or forwards a message
        streaming: Bots only: the text continues with `appendToMessage` until `finishMessage`. People see it grow; its event is emitted when it has ended
        forward_message_id: Forwards this message, with its files, place or contact; `text` is then a comment, and optional
        send_at: Sends it later: when, at most 366 days ahead; not before now
        parent_id: The message of the same topic that this replies to
        also_in_topic: On replies: people see it in the topic too, not only in its thread. Bots get and read every reply either way
        external_id: Your own id for it
        caption: A text that stands with the files
        compress_image: Makes images smaller: at most 2048 pixels wide and high
        waveform: Voice messages whose sender gave it: how loud it is, in steps of the same length
        files: Up to 10 files
        idempotency_key: Repeating the call with the same key gives the first answer again
        """
        return self._call("sendMessage", {"topicId": topic_id, "text": text, "streaming": streaming, "actions": actions, "forwardMessageId": forward_message_id, "sendAt": send_at, "parentId": parent_id, "alsoInTopic": also_in_topic, "externalId": external_id, "caption": caption, "compressImage": compress_image, "waveform": waveform}, files=files, idempotency_key=idempotency_key)

    def append_to_message(self, message_id: str, *, text: str, from_: int | None = None, idempotency_key: str | None = None) -> AppendToMessageAnswer:
        """Append to a message that is being streamed

        message_id: The message
        text: The text to append
        from_: The length of the text before it, in code points: text of the message beyond that is replaced, so that a request can be repeated safely
        idempotency_key: Repeating the call with the same key gives the first answer again
        """
        return self._call("appendToMessage", {"messageId": message_id, "text": text, "from": from_}, idempotency_key=idempotency_key)

    def set_progress(self, message_id: str, *, steps: List[MessageStep] | None = None, sources: List[MessageSource] | None = None, activity: str | None = None) -> None:
        """Show steps and sources of a message that is being streamed

        message_id: The message
        steps: Steps of the bot’s work, from first to last
        sources: Sources of the text; the first is number 1
        activity: The present activity of the bot, such as “searches the handbook”; gone when the message is finished
        """
        return self._call("setProgress", {"messageId": message_id, "steps": steps, "sources": sources, "activity": activity})

    def finish_message(self, message_id: str, *, text: str | None = None, status: Literal["finished", "failed"] | None = None, actions: ActionsInput | None = None, idempotency_key: str | None = None) -> FinishMessageAnswer:
        """Finish a message that is being streamed

        message_id: The message
        text: The whole text, in place of what was streamed
        status: `failed`: people see that it ends too early
        idempotency_key: Repeating the call with the same key gives the first answer again
        """
        return self._call("finishMessage", {"messageId": message_id, "text": text, "status": status, "actions": actions}, idempotency_key=idempotency_key)

    def tell_working(self, topic_id: str, *, parent_id: str | None = None, idempotency_key: str | None = None) -> None:
        """Show that the bot is working

        topic_id: The topic
        parent_id: The message that it will reply to
        idempotency_key: Repeating the call with the same key gives the first answer again
        """
        return self._call("tellWorking", {"topicId": topic_id, "parentId": parent_id}, idempotency_key=idempotency_key)

    def list_messages(self, topic_id: str, *, limit: int | None = None, cursor: str | None = None, before: int | None = None, after: int | None = None, sender_id: str | None = None, order: Literal["asc", "desc"] | None = None, include_system: bool | None = None, thread_id: str | None = None, include_reaction_users: bool | None = None) -> ListMessagesAnswer:
        """Read the messages of a topic

        topic_id: The topic
        limit: Items per page
        cursor: `nextCursor` of the page before
        before: Only messages sent before
        after: Only messages sent after
        sender_id: Only messages of this sender
        order: By age
        include_system: System messages too
        thread_id: Only the replies to this message
        include_reaction_users: Returns the members who reacted, not only their number
        """
        return self._call("listMessages", {"topicId": topic_id, "limit": limit, "cursor": cursor, "before": before, "after": after, "senderId": sender_id, "order": order, "includeSystem": include_system, "threadId": thread_id, "includeReactionUsers": include_reaction_users})

    def read_message(self, message_id: str) -> Message:
        """Read a message

        message_id: The message
        """
        return self._call("readMessage", {"messageId": message_id})

    def read_context(self, topic_id: str, *, message: str | None = None, tokens: int | None = None) -> TopicContext:
        """Read what there is to know before an answer

        topic_id: The topic
        message: The message of the topic that is to be answered
        tokens: The size that the answer may have
        """
        return self._call("readContext", {"topicId": topic_id, "message": message, "tokens": tokens})

    def edit_message(self, message_id: str, *, text: str | None = None, actions: ActionsInput | None | Omitted = OMITTED) -> EditMessageAnswer:
        """Edit an own message

        message_id: The message
        text: The new text; required, unless `actions` is given
        """
        return self._call("editMessage", {"messageId": message_id, "text": text, "actions": actions})

    def delete_message(self, message_id: str) -> None:
        """Delete an own message

        message_id: The message
        """
        return self._call("deleteMessage", {"messageId": message_id})

    def mark_delivered(self, message_id: str, *, idempotency_key: str | None = None) -> MarkDeliveredAnswer:
        """Mark a message delivered

        message_id: The message
        idempotency_key: Repeating the call with the same key gives the first answer again
        """
        return self._call("markDelivered", {"messageId": message_id}, idempotency_key=idempotency_key)

    def mark_read(self, message_id: str, *, idempotency_key: str | None = None) -> MarkReadAnswer:
        """Mark a message read

        message_id: The message
        idempotency_key: Repeating the call with the same key gives the first answer again
        """
        return self._call("markRead", {"messageId": message_id}, idempotency_key=idempotency_key)

    def list_scheduled_messages(self, *, limit: int | None = None, cursor: str | None = None) -> ListScheduledMessagesAnswer:
        """List own scheduled messages

        limit: Items per page
        cursor: `nextCursor` of the page before
        """
        return self._call("listScheduledMessages", {"limit": limit, "cursor": cursor})

    def update_scheduled_message(self, scheduled_message_id: str, *, text: str | None = None, send_at: int | None = None) -> ListScheduledMessagesAnswerScheduledMessage:
        """Change an own scheduled message

        scheduled_message_id: The scheduled message
        text: The new text
        send_at: The new time
        """
        return self._call("updateScheduledMessage", {"scheduledMessageId": scheduled_message_id, "text": text, "sendAt": send_at})

    def cancel_scheduled_message(self, scheduled_message_id: str) -> None:
        """Cancel an own scheduled message

        scheduled_message_id: The scheduled message
        """
        return self._call("cancelScheduledMessage", {"scheduledMessageId": scheduled_message_id})

    def send_scheduled_message(self, scheduled_message_id: str, *, idempotency_key: str | None = None) -> SendScheduledMessageAnswer:
        """Send an own scheduled message now

        scheduled_message_id: The scheduled message
        idempotency_key: Repeating the call with the same key gives the first answer again
        """
        return self._call("sendScheduledMessage", {"scheduledMessageId": scheduled_message_id}, idempotency_key=idempotency_key)

    def note_action(self, action_id: str, *, text: str, idempotency_key: str | None = None) -> None:
        """Answer a person alone

        action_id: The answer, as `message.action` named it
        text: The text of the note
        idempotency_key: Repeating the call with the same key gives the first answer again
        """
        return self._call("noteAction", {"actionId": action_id, "text": text}, idempotency_key=idempotency_key)

    def answer_privately(self, message_id: str, member_id: str, *, text: str) -> None:
        """Answer a message so that one person sees it

        message_id: A message of one of the bot’s topics
        member_id: A person who is in the topic
        text: The answer
        """
        return self._call("answerPrivately", {"messageId": message_id, "memberId": member_id, "text": text})

    def withdraw_private_answer(self, message_id: str, member_id: str) -> None:
        """Take back an own private answer

        message_id: A message of one of the bot’s topics
        member_id: A person who is in the topic
        """
        return self._call("withdrawPrivateAnswer", {"messageId": message_id, "memberId": member_id})

    def ask_question(self, *, topic_id: str, text: str, elements: List[ActionsInputElement], title: str | None = None, facts: List[ActionsInputFact] | None = None, who: Literal["anyone", "admins", "owners", "people"] | None = None, people: List[str] | None = None, approval: bool | None = None, quorum: int | None = None, decisive: List[str] | None = None, expires_at: int | None = None, otherwise: str | None = None, parent_id: str | None = None, key: str | None = None, idempotency_key: str | None = None) -> Question:
        """Ask people, and count their answers

        topic_id: The topic
        text: The question
        elements: Buttons, choices and forms, from first to last
        title: The head of the card that holds the elements
        facts: Facts that people need for their answer, a line each
        who: Who of the topic may answer; `people`: those in `people`
        people: Given with `who` set to `people`
        approval: Answers stand in the audit log, with the question and the values of forms
        quorum: The number of people who must give the same answer
        decisive: Ids of elements that end the question as soon as one person answers with them
        expires_at: No answer is taken from then on: up to 30 days ahead, in 24 hours by default
        otherwise: The id of the button that counts if the time is over without an answer
        parent_id: The message of the same topic that this replies to
        key: Your own name for the question. Asked again with it, by a bot that was restarted, it is the question that is there, however long ago
        idempotency_key: Repeating the call with the same key gives the first answer again
        """
        return self._call("askQuestion", {"topicId": topic_id, "text": text, "elements": elements, "title": title, "facts": facts, "who": who, "people": people, "approval": approval, "quorum": quorum, "decisive": decisive, "expiresAt": expires_at, "otherwise": otherwise, "parentId": parent_id, "key": key}, idempotency_key=idempotency_key)

    def read_question(self, question_id: str, *, wait: int | None = None) -> Question:
        """Read an own question, and wait for its answer

        question_id: The question
        wait: Seconds to wait while it is open
        """
        return self._call("readQuestion", {"questionId": question_id, "wait": wait})

    def withdraw_question(self, question_id: str) -> None:
        """Withdraw an own question

        question_id: The question
        """
        return self._call("withdrawQuestion", {"questionId": question_id})

    def list_commands(self) -> ListCommandsAnswer:
        """List the own commands"""
        return self._call("listCommands", {})

    def set_commands(self, *, commands: List[SetCommandsCommand]) -> ListCommandsAnswer:
        """Set the own commands

        commands: Empty: none any more
        """
        return self._call("setCommands", {"commands": commands})

    def list_prompts(self) -> ListPromptsAnswer:
        """List the own suggested prompts"""
        return self._call("listPrompts", {})

    def set_prompts(self, *, prompts: List[str]) -> ListPromptsAnswer:
        """Suggest what to ask

        prompts: People see them in this order. Empty: none any more
        """
        return self._call("setPrompts", {"prompts": prompts})

    def add_reaction(self, message_id: str, *, reaction: str, idempotency_key: str | None = None) -> Reaction:
        """React to a message

        message_id: The message
        reaction: One emoji
        idempotency_key: Repeating the call with the same key gives the first answer again
        """
        return self._call("addReaction", {"messageId": message_id, "reaction": reaction}, idempotency_key=idempotency_key)

    def remove_reaction(self, message_id: str, reaction_id: str) -> None:
        """Take back an own reaction

        message_id: The message
        reaction_id: The reaction
        """
        return self._call("removeReaction", {"messageId": message_id, "reactionId": reaction_id})

    def list_emoji(self) -> ListEmojiAnswer:
        """List the organization's own emoji"""
        return self._call("listEmoji", {})

    def list_tasks(self, *, limit: int | None = None, cursor: str | None = None, topic_id: str | None = None, status: Literal["Open", "Done"] | None = None, assignee: Literal[""] | str | None = None) -> ListTasksAnswer:
        """List tasks from the topics of the bot

        limit: Items per page
        cursor: `nextCursor` of the page before
        topic_id: Only tasks of this topic
        status: Only tasks in this state
        assignee: Only tasks of this member, or unassigned ones if it is empty
        """
        return self._call("listTasks", {"limit": limit, "cursor": cursor, "topicId": topic_id, "status": status, "assignee": assignee})

    def read_task(self, task_id: str) -> Task:
        """Read a task

        task_id: The task
        """
        return self._call("readTask", {"taskId": task_id})

    def create_task(self, *, topic_id: str, title: str, description: str | None = None, assignee: Literal[""] | str | None = None, due_date: int | None = None, external_id: str | None = None, idempotency_key: str | None = None) -> CreateTaskAnswer:
        """Create a task in a topic

        topic_id: The topic
        title: The title
        description: More about it
        assignee: A member of the topic; empty: unassigned
        due_date: When it is due; 0: no date
        external_id: Your own id for it
        idempotency_key: Repeating the call with the same key gives the first answer again
        """
        return self._call("createTask", {"topicId": topic_id, "title": title, "description": description, "assignee": assignee, "dueDate": due_date, "externalId": external_id}, idempotency_key=idempotency_key)

    def update_task(self, task_id: str, *, topic_id: str | None = None, name: str | None = None, title: str | None = None, description: str | None = None, assignee: Literal[""] | str | None = None, due_date: int | None = None, status: Literal["Open", "Done"] | None = None) -> UpdateTaskAnswer:
        """Change a task

        task_id: The task
        topic_id: The task's topic; required with `status`
        name: The title
        title: The title
        description: More about it
        assignee: A member of the topic; empty removes the assignee
        due_date: When it is due; 0 clears it
        """
        return self._call("updateTask", {"taskId": task_id, "topicId": topic_id, "name": name, "title": title, "description": description, "assignee": assignee, "dueDate": due_date, "status": status})

    def delete_task(self, task_id: str) -> None:
        """Delete a task

        task_id: The task
        """
        return self._call("deleteTask", {"taskId": task_id})

    def create_poll(self, *, topic_id: str, question: str, selection_type: Literal["single", "multiple"], options: List[str], anonymous: bool | None = None, subtitle: str | None = None, expires_at: int | None = None, idempotency_key: str | None = None) -> Poll:
        """Create a poll in a topic

        topic_id: The topic
        question: The question to decide
        selection_type: Whether a member has one vote or several
        options: The texts to choose from
        anonymous: Voters stay secret; takes no votes through the API
        subtitle: Stands below the question
        expires_at: Unix time in ms, in the future: when it stops taking votes
        idempotency_key: Repeating the call with the same key gives the first answer again
        """
        return self._call("createPoll", {"topicId": topic_id, "question": question, "selectionType": selection_type, "options": options, "anonymous": anonymous, "subtitle": subtitle, "expiresAt": expires_at}, idempotency_key=idempotency_key)

    def cast_vote(self, poll_id: str, *, option_id: str, idempotency_key: str | None = None) -> PollVote:
        """Vote in a poll

        poll_id: The poll
        option_id: Id of an option of this poll
        idempotency_key: Repeating the call with the same key gives the first answer again
        """
        return self._call("castVote", {"pollId": poll_id, "optionId": option_id}, idempotency_key=idempotency_key)

    def retract_vote(self, poll_id: str, vote_id: str) -> None:
        """Take back an own vote

        poll_id: The poll
        vote_id: The `id` of the vote
        """
        return self._call("retractVote", {"pollId": poll_id, "voteId": vote_id})

    def list_members(self, *, limit: int | None = None, cursor: str | None = None, offset: int | None = None, emails: str | None = None, status: Literal["Pending", "Active", "Deleted", "Archived"] | None = None) -> ListMembersAnswer:
        """List the members of the organization

        limit: Items per page
        cursor: `nextCursor` of the page before
        offset: The number of members to skip
        emails: Only these addresses, comma-separated
        status: Only members in this state
        """
        return self._call("listMembers", {"limit": limit, "cursor": cursor, "offset": offset, "emails": emails, "status": status})

    def read_me(self) -> Member:
        """Read the calling bot itself"""
        return self._call("readMe", {})

    def read_member(self, member_id: str) -> Member:
        """Read one member, whatever its status

        member_id: A person (`<uuid>`) or a bot (`b@<uuid>`)
        """
        return self._call("readMember", {"memberId": member_id})

    def list_org_units(self, *, limit: int | None = None, cursor: str | None = None) -> ListOrgUnitsAnswer:
        """List the org units of the organization

        limit: Items per page
        cursor: `nextCursor` of the page before
        """
        return self._call("listOrgUnits", {"limit": limit, "cursor": cursor})

    def read_org_unit(self, org_unit_id: str) -> OrgUnit:
        """Read an org unit

        org_unit_id: The org unit
        """
        return self._call("readOrgUnit", {"orgUnitId": org_unit_id})

    def add_org_unit_members(self, org_unit_id: str, *, member_ids: List[str], idempotency_key: str | None = None) -> AddOrgUnitMembersAnswer:
        """Add members to an org unit

        org_unit_id: The org unit
        member_ids: Profile ids, 1 to 5; duplicates are removed
        idempotency_key: Repeating the call with the same key gives the first answer again
        """
        return self._call("addOrgUnitMembers", {"orgUnitId": org_unit_id, "memberIds": member_ids}, idempotency_key=idempotency_key)

    def remove_org_unit_members(self, org_unit_id: str, *, member_ids: List[str]) -> AddOrgUnitMembersAnswer:
        """Remove members from an org unit

        org_unit_id: The org unit
        member_ids: Profile ids, 1 to 5; duplicates are removed
        """
        return self._call("removeOrgUnitMembers", {"orgUnitId": org_unit_id, "memberIds": member_ids})

    def list_groups(self, *, limit: int | None = None, cursor: str | None = None, search: str | None = None) -> ListGroupsAnswer:
        """List groups and org units

        limit: Items per page
        cursor: `nextCursor` of the page before
        search: The beginning of the tag, or of a word of the name
        """
        return self._call("listGroups", {"limit": limit, "cursor": cursor, "search": search})

    def read_group(self, group_id: str) -> ListGroupsAnswerGroup:
        """Read a group or an org unit

        group_id: The group, or the org unit
        """
        return self._call("readGroup", {"groupId": group_id})

    def list_group_members(self, group_id: str, *, limit: int | None = None, cursor: str | None = None) -> ListGroupMembersAnswer:
        """List the members of a group or an org unit

        group_id: The group, or the org unit
        limit: Items per page
        cursor: `nextCursor` of the page before
        """
        return self._call("listGroupMembers", {"groupId": group_id, "limit": limit, "cursor": cursor})

    def search(self, *, q: str, limit: int | None = None, cursor: str | None = None, order: Literal["newest", "best"] | None = None, kind: Literal["messages", "files", "tasks", "members", "topics"] | None = None, time_zone: str | None = None) -> SearchAnswer:
        """Search messages, files, tasks, topics and members

        q: Words, phrases and filters
        limit: Items per page
        cursor: `nextCursor` of the page before
        order: `best` ranks the newest 1000 that were found
        kind: What is listed: all messages, those with files, those that tell of tasks, or, by their names alone, `members` or `topics`, which are not looked for in messages
        time_zone: The time zone in which the days of `before:`, `after:`, `on:` and `during:` begin
        """
        return self._call("search", {"q": q, "limit": limit, "cursor": cursor, "order": order, "kind": kind, "timeZone": time_zone})

    def list_storage(self, *, limit: int | None = None, cursor: str | None = None, prefix: str | None = None) -> ListStorageAnswer:
        """List the keys of the bot

        limit: Items per page
        cursor: `nextCursor` of the page before
        prefix: Only keys that begin with this
        """
        return self._call("listStorage", {"limit": limit, "cursor": cursor, "prefix": prefix})

    def read_storage(self, key: str) -> StoredValue:
        """Read a value

        key: 1 to 200 letters, digits and `. _ : @ -`; the first is a letter or a digit
        """
        return self._call("readStorage", {"key": key})

    def write_storage(self, key: str, *, value: Any, version: int | None = None) -> StorageEntry:
        """Write a value

        key: 1 to 200 letters, digits and `. _ : @ -`; the first is a letter or a digit
        value: Any JSON, up to 65536 bytes
        version: The version that it must have now; 0: it must not be there
        """
        return self._call("writeStorage", {"key": key, "value": value, "version": version})

    def delete_storage(self, key: str, *, version: int | None = None) -> None:
        """Delete a value

        key: 1 to 200 letters, digits and `. _ : @ -`; the first is a letter or a digit
        version: The version that it must have now
        """
        return self._call("deleteStorage", {"key": key, "version": version})

    def read_usage(self) -> ReadUsageAnswer:
        """Read what the bot has used today, and its budgets"""
        return self._call("readUsage", {})

    def report_usage(self, *, tokens: int, idempotency_key: str | None = None) -> ReadUsageAnswer:
        """Report tokens that the bot has used

        tokens: Tokens of a language model, of one answer or of several
        idempotency_key: Repeating the call with the same key gives the first answer again
        """
        return self._call("reportUsage", {"tokens": tokens}, idempotency_key=idempotency_key)


class AsyncOperations:
    """The same methods for asyncio."""

    async def _call(self, operation: str, values: Dict[str, Any], **options: Any) -> Any:
        raise NotImplementedError

    async def read_updates(self, *, offset: str | None = None, confirm: str | None = None, limit: int | None = None, timeout: int | None = None) -> ReadUpdatesAnswer:
        """Receive events by long polling

        offset: `nextOffset` of the answer before, an `updateId`, `oldest` for everything that is kept, or `newest` for what comes from now on
        confirm: Given by a bot that reads ahead of what it has finished: everything up to this `nextOffset` or `updateId` is confirmed, or `nothing`, and not what is before `offset`
        limit: Events at most
        timeout: Seconds to wait when there is nothing
        """
        return await self._call("readUpdates", {"offset": offset, "confirm": confirm, "limit": limit, "timeout": timeout})

    async def list_topics(self, *, limit: int | None = None, cursor: str | None = None) -> ListTopicsAnswer:
        """List the topics of the bot

        limit: Items per page
        cursor: `nextCursor` of the page before
        """
        return await self._call("listTopics", {"limit": limit, "cursor": cursor})

    async def read_topic(self, topic_id: str) -> Topic:
        """Read a topic

        topic_id: The topic
        """
        return await self._call("readTopic", {"topicId": topic_id})

    async def read_topic_by_external_id(self, external_id: str) -> Topic:
        """Read a topic by its external id

        external_id: Short or qualified, percent-encoded
        """
        return await self._call("readTopicByExternalId", {"externalId": external_id})

    async def create_topic(self, *, name: str, members: List[str], description: str | None = None, external_id: str | None = None, file: FileInput | None = None, idempotency_key: str | None = None) -> CreateTopicAnswer:
        """Create a topic

        name: Name of the topic
        members: Profile ids besides the bot; may be empty
        description: A sentence about the topic
        external_id: Your own id for it, unique for this bot; no control characters
        file: A cover image: JPEG or PNG, cut to a square around its middle
        idempotency_key: Repeating the call with the same key gives the first answer again
        """
        return await self._call("createTopic", {"name": name, "members": members, "description": description, "externalId": external_id}, files=None if file is None else [file], idempotency_key=idempotency_key)

    async def start_direct_message(self, *, member_id: str, idempotency_key: str | None = None) -> Topic:
        """Open a direct message with a person

        member_id: A person who shares a topic with the bot
        idempotency_key: Repeating the call with the same key gives the first answer again
        """
        return await self._call("startDirectMessage", {"memberId": member_id}, idempotency_key=idempotency_key)

    async def update_topic(self, topic_id: str, *, name: str | None = None, description: str | None = None) -> Topic:
        """Rename or describe a topic

        topic_id: The topic
        name: Name of the topic
        description: A sentence about the topic
        """
        return await self._call("updateTopic", {"topicId": topic_id, "name": name, "description": description})

    async def add_topic_members(self, topic_id: str, *, member_ids: List[str], reach: Literal["everything", "threads", "mentions", "commands"] | None = None, idempotency_key: str | None = None) -> AddTopicMembersAnswer:
        """Add members to a topic

        topic_id: The topic
        member_ids: Profile ids, 1 to 5; duplicates are removed
        reach: Events that bots get from the topic. `everything`; `threads`: messages that mention them, and replies in threads that they wrote in; `mentions`: messages that mention them; `commands`: only their commands, and answers to their buttons. People are not affected
        idempotency_key: Repeating the call with the same key gives the first answer again
        """
        return await self._call("addTopicMembers", {"topicId": topic_id, "memberIds": member_ids, "reach": reach}, idempotency_key=idempotency_key)

    async def remove_topic_members(self, topic_id: str, *, member_ids: List[str]) -> AddTopicMembersAnswer:
        """Remove members from a topic

        topic_id: The topic
        member_ids: Profile ids, 1 to 5; duplicates are removed
        """
        return await self._call("removeTopicMembers", {"topicId": topic_id, "memberIds": member_ids})

    async def create_label(self, *, name: str, idempotency_key: str | None = None) -> Label:
        """Create a label of the organization

        name: Name of the label
        idempotency_key: Repeating the call with the same key gives the first answer again
        """
        return await self._call("createLabel", {"name": name}, idempotency_key=idempotency_key)

    async def list_labels(self) -> ListLabelsAnswer:
        """List the labels of the organization"""
        return await self._call("listLabels", {})

    async def add_topic_label(self, topic_id: str, *, label_id: str, idempotency_key: str | None = None) -> AddTopicLabelAnswer:
        """Put a label on a topic

        topic_id: The topic
        label_id: A label of the organization
        idempotency_key: Repeating the call with the same key gives the first answer again
        """
        return await self._call("addTopicLabel", {"topicId": topic_id, "labelId": label_id}, idempotency_key=idempotency_key)

    async def remove_topic_label(self, topic_id: str, label_id: str) -> AddTopicLabelAnswer:
        """Take a label off a topic

        topic_id: The topic
        label_id: The label
        """
        return await self._call("removeTopicLabel", {"topicId": topic_id, "labelId": label_id})

    async def send_message(self, *, topic_id: str, text: str | None = None, streaming: bool | None = None, actions: ActionsInput | None = None, forward_message_id: str | None = None, send_at: int | None = None, parent_id: str | None = None, also_in_topic: bool | None = None, external_id: str | None = None, caption: str | None = None, compress_image: bool | None = None, waveform: List[int] | None = None, files: Sequence[FileInput] | None = None, idempotency_key: str | None = None) -> SendMessageAnswer:
        """Send a message, or files

        topic_id: The topic
        text: The text; required unless it is streamed or forwards a message
        streaming: Bots only: the text continues with `appendToMessage` until `finishMessage`. People see it grow; its event is emitted when it has ended
        forward_message_id: Forwards this message, with its files, place or contact; `text` is then a comment, and optional
        send_at: Sends it later: when, at most 366 days ahead; not before now
        parent_id: The message of the same topic that this replies to
        also_in_topic: On replies: people see it in the topic too, not only in its thread. Bots get and read every reply either way
        external_id: Your own id for it
        caption: A text that stands with the files
        compress_image: Makes images smaller: at most 2048 pixels wide and high
        waveform: Voice messages whose sender gave it: how loud it is, in steps of the same length
        files: Up to 10 files
        idempotency_key: Repeating the call with the same key gives the first answer again
        """
        return await self._call("sendMessage", {"topicId": topic_id, "text": text, "streaming": streaming, "actions": actions, "forwardMessageId": forward_message_id, "sendAt": send_at, "parentId": parent_id, "alsoInTopic": also_in_topic, "externalId": external_id, "caption": caption, "compressImage": compress_image, "waveform": waveform}, files=files, idempotency_key=idempotency_key)

    async def append_to_message(self, message_id: str, *, text: str, from_: int | None = None, idempotency_key: str | None = None) -> AppendToMessageAnswer:
        """Append to a message that is being streamed

        message_id: The message
        text: The text to append
        from_: The length of the text before it, in code points: text of the message beyond that is replaced, so that a request can be repeated safely
        idempotency_key: Repeating the call with the same key gives the first answer again
        """
        return await self._call("appendToMessage", {"messageId": message_id, "text": text, "from": from_}, idempotency_key=idempotency_key)

    async def set_progress(self, message_id: str, *, steps: List[MessageStep] | None = None, sources: List[MessageSource] | None = None, activity: str | None = None) -> None:
        """Show steps and sources of a message that is being streamed

        message_id: The message
        steps: Steps of the bot’s work, from first to last
        sources: Sources of the text; the first is number 1
        activity: The present activity of the bot, such as “searches the handbook”; gone when the message is finished
        """
        return await self._call("setProgress", {"messageId": message_id, "steps": steps, "sources": sources, "activity": activity})

    async def finish_message(self, message_id: str, *, text: str | None = None, status: Literal["finished", "failed"] | None = None, actions: ActionsInput | None = None, idempotency_key: str | None = None) -> FinishMessageAnswer:
        """Finish a message that is being streamed

        message_id: The message
        text: The whole text, in place of what was streamed
        status: `failed`: people see that it ends too early
        idempotency_key: Repeating the call with the same key gives the first answer again
        """
        return await self._call("finishMessage", {"messageId": message_id, "text": text, "status": status, "actions": actions}, idempotency_key=idempotency_key)

    async def tell_working(self, topic_id: str, *, parent_id: str | None = None, idempotency_key: str | None = None) -> None:
        """Show that the bot is working

        topic_id: The topic
        parent_id: The message that it will reply to
        idempotency_key: Repeating the call with the same key gives the first answer again
        """
        return await self._call("tellWorking", {"topicId": topic_id, "parentId": parent_id}, idempotency_key=idempotency_key)

    async def list_messages(self, topic_id: str, *, limit: int | None = None, cursor: str | None = None, before: int | None = None, after: int | None = None, sender_id: str | None = None, order: Literal["asc", "desc"] | None = None, include_system: bool | None = None, thread_id: str | None = None, include_reaction_users: bool | None = None) -> ListMessagesAnswer:
        """Read the messages of a topic

        topic_id: The topic
        limit: Items per page
        cursor: `nextCursor` of the page before
        before: Only messages sent before
        after: Only messages sent after
        sender_id: Only messages of this sender
        order: By age
        include_system: System messages too
        thread_id: Only the replies to this message
        include_reaction_users: Returns the members who reacted, not only their number
        """
        return await self._call("listMessages", {"topicId": topic_id, "limit": limit, "cursor": cursor, "before": before, "after": after, "senderId": sender_id, "order": order, "includeSystem": include_system, "threadId": thread_id, "includeReactionUsers": include_reaction_users})

    async def read_message(self, message_id: str) -> Message:
        """Read a message

        message_id: The message
        """
        return await self._call("readMessage", {"messageId": message_id})

    async def read_context(self, topic_id: str, *, message: str | None = None, tokens: int | None = None) -> TopicContext:
        """Read what there is to know before an answer

        topic_id: The topic
        message: The message of the topic that is to be answered
        tokens: The size that the answer may have
        """
        return await self._call("readContext", {"topicId": topic_id, "message": message, "tokens": tokens})

    async def edit_message(self, message_id: str, *, text: str | None = None, actions: ActionsInput | None | Omitted = OMITTED) -> EditMessageAnswer:
        """Edit an own message

        message_id: The message
        text: The new text; required, unless `actions` is given
        """
        return await self._call("editMessage", {"messageId": message_id, "text": text, "actions": actions})

    async def delete_message(self, message_id: str) -> None:
        """Delete an own message

        message_id: The message
        """
        return await self._call("deleteMessage", {"messageId": message_id})

    async def mark_delivered(self, message_id: str, *, idempotency_key: str | None = None) -> MarkDeliveredAnswer:
        """Mark a message delivered

        message_id: The message
        idempotency_key: Repeating the call with the same key gives the first answer again
        """
        return await self._call("markDelivered", {"messageId": message_id}, idempotency_key=idempotency_key)

    async def mark_read(self, message_id: str, *, idempotency_key: str | None = None) -> MarkReadAnswer:
        """Mark a message read

        message_id: The message
        idempotency_key: Repeating the call with the same key gives the first answer again
        """
        return await self._call("markRead", {"messageId": message_id}, idempotency_key=idempotency_key)

    async def list_scheduled_messages(self, *, limit: int | None = None, cursor: str | None = None) -> ListScheduledMessagesAnswer:
        """List own scheduled messages

        limit: Items per page
        cursor: `nextCursor` of the page before
        """
        return await self._call("listScheduledMessages", {"limit": limit, "cursor": cursor})

    async def update_scheduled_message(self, scheduled_message_id: str, *, text: str | None = None, send_at: int | None = None) -> ListScheduledMessagesAnswerScheduledMessage:
        """Change an own scheduled message

        scheduled_message_id: The scheduled message
        text: The new text
        send_at: The new time
        """
        return await self._call("updateScheduledMessage", {"scheduledMessageId": scheduled_message_id, "text": text, "sendAt": send_at})

    async def cancel_scheduled_message(self, scheduled_message_id: str) -> None:
        """Cancel an own scheduled message

        scheduled_message_id: The scheduled message
        """
        return await self._call("cancelScheduledMessage", {"scheduledMessageId": scheduled_message_id})

    async def send_scheduled_message(self, scheduled_message_id: str, *, idempotency_key: str | None = None) -> SendScheduledMessageAnswer:
        """Send an own scheduled message now

        scheduled_message_id: The scheduled message
        idempotency_key: Repeating the call with the same key gives the first answer again
        """
        return await self._call("sendScheduledMessage", {"scheduledMessageId": scheduled_message_id}, idempotency_key=idempotency_key)

    async def note_action(self, action_id: str, *, text: str, idempotency_key: str | None = None) -> None:
        """Answer a person alone

        action_id: The answer, as `message.action` named it
        text: The text of the note
        idempotency_key: Repeating the call with the same key gives the first answer again
        """
        return await self._call("noteAction", {"actionId": action_id, "text": text}, idempotency_key=idempotency_key)

    async def answer_privately(self, message_id: str, member_id: str, *, text: str) -> None:
        """Answer a message so that one person sees it

        message_id: A message of one of the bot’s topics
        member_id: A person who is in the topic
        text: The answer
        """
        return await self._call("answerPrivately", {"messageId": message_id, "memberId": member_id, "text": text})

    async def withdraw_private_answer(self, message_id: str, member_id: str) -> None:
        """Take back an own private answer

        message_id: A message of one of the bot’s topics
        member_id: A person who is in the topic
        """
        return await self._call("withdrawPrivateAnswer", {"messageId": message_id, "memberId": member_id})

    async def ask_question(self, *, topic_id: str, text: str, elements: List[ActionsInputElement], title: str | None = None, facts: List[ActionsInputFact] | None = None, who: Literal["anyone", "admins", "owners", "people"] | None = None, people: List[str] | None = None, approval: bool | None = None, quorum: int | None = None, decisive: List[str] | None = None, expires_at: int | None = None, otherwise: str | None = None, parent_id: str | None = None, key: str | None = None, idempotency_key: str | None = None) -> Question:
        """Ask people, and count their answers

        topic_id: The topic
        text: The question
        elements: Buttons, choices and forms, from first to last
        title: The head of the card that holds the elements
        facts: Facts that people need for their answer, a line each
        who: Who of the topic may answer; `people`: those in `people`
        people: Given with `who` set to `people`
        approval: Answers stand in the audit log, with the question and the values of forms
        quorum: The number of people who must give the same answer
        decisive: Ids of elements that end the question as soon as one person answers with them
        expires_at: No answer is taken from then on: up to 30 days ahead, in 24 hours by default
        otherwise: The id of the button that counts if the time is over without an answer
        parent_id: The message of the same topic that this replies to
        key: Your own name for the question. Asked again with it, by a bot that was restarted, it is the question that is there, however long ago
        idempotency_key: Repeating the call with the same key gives the first answer again
        """
        return await self._call("askQuestion", {"topicId": topic_id, "text": text, "elements": elements, "title": title, "facts": facts, "who": who, "people": people, "approval": approval, "quorum": quorum, "decisive": decisive, "expiresAt": expires_at, "otherwise": otherwise, "parentId": parent_id, "key": key}, idempotency_key=idempotency_key)

    async def read_question(self, question_id: str, *, wait: int | None = None) -> Question:
        """Read an own question, and wait for its answer

        question_id: The question
        wait: Seconds to wait while it is open
        """
        return await self._call("readQuestion", {"questionId": question_id, "wait": wait})

    async def withdraw_question(self, question_id: str) -> None:
        """Withdraw an own question

        question_id: The question
        """
        return await self._call("withdrawQuestion", {"questionId": question_id})

    async def list_commands(self) -> ListCommandsAnswer:
        """List the own commands"""
        return await self._call("listCommands", {})

    async def set_commands(self, *, commands: List[SetCommandsCommand]) -> ListCommandsAnswer:
        """Set the own commands

        commands: Empty: none any more
        """
        return await self._call("setCommands", {"commands": commands})

    async def list_prompts(self) -> ListPromptsAnswer:
        """List the own suggested prompts"""
        return await self._call("listPrompts", {})

    async def set_prompts(self, *, prompts: List[str]) -> ListPromptsAnswer:
        """Suggest what to ask

        prompts: People see them in this order. Empty: none any more
        """
        return await self._call("setPrompts", {"prompts": prompts})

    async def add_reaction(self, message_id: str, *, reaction: str, idempotency_key: str | None = None) -> Reaction:
        """React to a message

        message_id: The message
        reaction: One emoji
        idempotency_key: Repeating the call with the same key gives the first answer again
        """
        return await self._call("addReaction", {"messageId": message_id, "reaction": reaction}, idempotency_key=idempotency_key)

    async def remove_reaction(self, message_id: str, reaction_id: str) -> None:
        """Take back an own reaction

        message_id: The message
        reaction_id: The reaction
        """
        return await self._call("removeReaction", {"messageId": message_id, "reactionId": reaction_id})

    async def list_emoji(self) -> ListEmojiAnswer:
        """List the organization's own emoji"""
        return await self._call("listEmoji", {})

    async def list_tasks(self, *, limit: int | None = None, cursor: str | None = None, topic_id: str | None = None, status: Literal["Open", "Done"] | None = None, assignee: Literal[""] | str | None = None) -> ListTasksAnswer:
        """List tasks from the topics of the bot

        limit: Items per page
        cursor: `nextCursor` of the page before
        topic_id: Only tasks of this topic
        status: Only tasks in this state
        assignee: Only tasks of this member, or unassigned ones if it is empty
        """
        return await self._call("listTasks", {"limit": limit, "cursor": cursor, "topicId": topic_id, "status": status, "assignee": assignee})

    async def read_task(self, task_id: str) -> Task:
        """Read a task

        task_id: The task
        """
        return await self._call("readTask", {"taskId": task_id})

    async def create_task(self, *, topic_id: str, title: str, description: str | None = None, assignee: Literal[""] | str | None = None, due_date: int | None = None, external_id: str | None = None, idempotency_key: str | None = None) -> CreateTaskAnswer:
        """Create a task in a topic

        topic_id: The topic
        title: The title
        description: More about it
        assignee: A member of the topic; empty: unassigned
        due_date: When it is due; 0: no date
        external_id: Your own id for it
        idempotency_key: Repeating the call with the same key gives the first answer again
        """
        return await self._call("createTask", {"topicId": topic_id, "title": title, "description": description, "assignee": assignee, "dueDate": due_date, "externalId": external_id}, idempotency_key=idempotency_key)

    async def update_task(self, task_id: str, *, topic_id: str | None = None, name: str | None = None, title: str | None = None, description: str | None = None, assignee: Literal[""] | str | None = None, due_date: int | None = None, status: Literal["Open", "Done"] | None = None) -> UpdateTaskAnswer:
        """Change a task

        task_id: The task
        topic_id: The task's topic; required with `status`
        name: The title
        title: The title
        description: More about it
        assignee: A member of the topic; empty removes the assignee
        due_date: When it is due; 0 clears it
        """
        return await self._call("updateTask", {"taskId": task_id, "topicId": topic_id, "name": name, "title": title, "description": description, "assignee": assignee, "dueDate": due_date, "status": status})

    async def delete_task(self, task_id: str) -> None:
        """Delete a task

        task_id: The task
        """
        return await self._call("deleteTask", {"taskId": task_id})

    async def create_poll(self, *, topic_id: str, question: str, selection_type: Literal["single", "multiple"], options: List[str], anonymous: bool | None = None, subtitle: str | None = None, expires_at: int | None = None, idempotency_key: str | None = None) -> Poll:
        """Create a poll in a topic

        topic_id: The topic
        question: The question to decide
        selection_type: Whether a member has one vote or several
        options: The texts to choose from
        anonymous: Voters stay secret; takes no votes through the API
        subtitle: Stands below the question
        expires_at: Unix time in ms, in the future: when it stops taking votes
        idempotency_key: Repeating the call with the same key gives the first answer again
        """
        return await self._call("createPoll", {"topicId": topic_id, "question": question, "selectionType": selection_type, "options": options, "anonymous": anonymous, "subtitle": subtitle, "expiresAt": expires_at}, idempotency_key=idempotency_key)

    async def cast_vote(self, poll_id: str, *, option_id: str, idempotency_key: str | None = None) -> PollVote:
        """Vote in a poll

        poll_id: The poll
        option_id: Id of an option of this poll
        idempotency_key: Repeating the call with the same key gives the first answer again
        """
        return await self._call("castVote", {"pollId": poll_id, "optionId": option_id}, idempotency_key=idempotency_key)

    async def retract_vote(self, poll_id: str, vote_id: str) -> None:
        """Take back an own vote

        poll_id: The poll
        vote_id: The `id` of the vote
        """
        return await self._call("retractVote", {"pollId": poll_id, "voteId": vote_id})

    async def list_members(self, *, limit: int | None = None, cursor: str | None = None, offset: int | None = None, emails: str | None = None, status: Literal["Pending", "Active", "Deleted", "Archived"] | None = None) -> ListMembersAnswer:
        """List the members of the organization

        limit: Items per page
        cursor: `nextCursor` of the page before
        offset: The number of members to skip
        emails: Only these addresses, comma-separated
        status: Only members in this state
        """
        return await self._call("listMembers", {"limit": limit, "cursor": cursor, "offset": offset, "emails": emails, "status": status})

    async def read_me(self) -> Member:
        """Read the calling bot itself"""
        return await self._call("readMe", {})

    async def read_member(self, member_id: str) -> Member:
        """Read one member, whatever its status

        member_id: A person (`<uuid>`) or a bot (`b@<uuid>`)
        """
        return await self._call("readMember", {"memberId": member_id})

    async def list_org_units(self, *, limit: int | None = None, cursor: str | None = None) -> ListOrgUnitsAnswer:
        """List the org units of the organization

        limit: Items per page
        cursor: `nextCursor` of the page before
        """
        return await self._call("listOrgUnits", {"limit": limit, "cursor": cursor})

    async def read_org_unit(self, org_unit_id: str) -> OrgUnit:
        """Read an org unit

        org_unit_id: The org unit
        """
        return await self._call("readOrgUnit", {"orgUnitId": org_unit_id})

    async def add_org_unit_members(self, org_unit_id: str, *, member_ids: List[str], idempotency_key: str | None = None) -> AddOrgUnitMembersAnswer:
        """Add members to an org unit

        org_unit_id: The org unit
        member_ids: Profile ids, 1 to 5; duplicates are removed
        idempotency_key: Repeating the call with the same key gives the first answer again
        """
        return await self._call("addOrgUnitMembers", {"orgUnitId": org_unit_id, "memberIds": member_ids}, idempotency_key=idempotency_key)

    async def remove_org_unit_members(self, org_unit_id: str, *, member_ids: List[str]) -> AddOrgUnitMembersAnswer:
        """Remove members from an org unit

        org_unit_id: The org unit
        member_ids: Profile ids, 1 to 5; duplicates are removed
        """
        return await self._call("removeOrgUnitMembers", {"orgUnitId": org_unit_id, "memberIds": member_ids})

    async def list_groups(self, *, limit: int | None = None, cursor: str | None = None, search: str | None = None) -> ListGroupsAnswer:
        """List groups and org units

        limit: Items per page
        cursor: `nextCursor` of the page before
        search: The beginning of the tag, or of a word of the name
        """
        return await self._call("listGroups", {"limit": limit, "cursor": cursor, "search": search})

    async def read_group(self, group_id: str) -> ListGroupsAnswerGroup:
        """Read a group or an org unit

        group_id: The group, or the org unit
        """
        return await self._call("readGroup", {"groupId": group_id})

    async def list_group_members(self, group_id: str, *, limit: int | None = None, cursor: str | None = None) -> ListGroupMembersAnswer:
        """List the members of a group or an org unit

        group_id: The group, or the org unit
        limit: Items per page
        cursor: `nextCursor` of the page before
        """
        return await self._call("listGroupMembers", {"groupId": group_id, "limit": limit, "cursor": cursor})

    async def search(self, *, q: str, limit: int | None = None, cursor: str | None = None, order: Literal["newest", "best"] | None = None, kind: Literal["messages", "files", "tasks", "members", "topics"] | None = None, time_zone: str | None = None) -> SearchAnswer:
        """Search messages, files, tasks, topics and members

        q: Words, phrases and filters
        limit: Items per page
        cursor: `nextCursor` of the page before
        order: `best` ranks the newest 1000 that were found
        kind: What is listed: all messages, those with files, those that tell of tasks, or, by their names alone, `members` or `topics`, which are not looked for in messages
        time_zone: The time zone in which the days of `before:`, `after:`, `on:` and `during:` begin
        """
        return await self._call("search", {"q": q, "limit": limit, "cursor": cursor, "order": order, "kind": kind, "timeZone": time_zone})

    async def list_storage(self, *, limit: int | None = None, cursor: str | None = None, prefix: str | None = None) -> ListStorageAnswer:
        """List the keys of the bot

        limit: Items per page
        cursor: `nextCursor` of the page before
        prefix: Only keys that begin with this
        """
        return await self._call("listStorage", {"limit": limit, "cursor": cursor, "prefix": prefix})

    async def read_storage(self, key: str) -> StoredValue:
        """Read a value

        key: 1 to 200 letters, digits and `. _ : @ -`; the first is a letter or a digit
        """
        return await self._call("readStorage", {"key": key})

    async def write_storage(self, key: str, *, value: Any, version: int | None = None) -> StorageEntry:
        """Write a value

        key: 1 to 200 letters, digits and `. _ : @ -`; the first is a letter or a digit
        value: Any JSON, up to 65536 bytes
        version: The version that it must have now; 0: it must not be there
        """
        return await self._call("writeStorage", {"key": key, "value": value, "version": version})

    async def delete_storage(self, key: str, *, version: int | None = None) -> None:
        """Delete a value

        key: 1 to 200 letters, digits and `. _ : @ -`; the first is a letter or a digit
        version: The version that it must have now
        """
        return await self._call("deleteStorage", {"key": key, "version": version})

    async def read_usage(self) -> ReadUsageAnswer:
        """Read what the bot has used today, and its budgets"""
        return await self._call("readUsage", {})

    async def report_usage(self, *, tokens: int, idempotency_key: str | None = None) -> ReadUsageAnswer:
        """Report tokens that the bot has used

        tokens: Tokens of a language model, of one answer or of several
        idempotency_key: Repeating the call with the same key gives the first answer again
        """
        return await self._call("reportUsage", {"tokens": tokens}, idempotency_key=idempotency_key)


ROUTES: Dict[str, Route] = {
    "readUpdates": Route("GET", "/v2/updates", query=("offset", "confirm", "limit", "timeout",)),
    "listTopics": Route("GET", "/v2/topics", query=("limit", "cursor",)),
    "readTopic": Route("GET", "/v2/topics/{topicId}"),
    "readTopicByExternalId": Route("GET", "/v2/topics/external/{externalId}"),
    "createTopic": Route("POST", "/v2/topics", body=("name", "members", "description", "externalId",), form=("name", "members", "description", "externalId",)),
    "startDirectMessage": Route("POST", "/v2/direct-messages", body=("memberId",)),
    "updateTopic": Route("PATCH", "/v2/topics/{topicId}", body=("name", "description",)),
    "addTopicMembers": Route("POST", "/v2/topics/{topicId}/members", body=("memberIds", "reach",)),
    "removeTopicMembers": Route("DELETE", "/v2/topics/{topicId}/members", body=("memberIds",)),
    "createLabel": Route("POST", "/v2/organization/labels", body=("name",)),
    "listLabels": Route("GET", "/v2/organization/labels"),
    "addTopicLabel": Route("POST", "/v2/topics/{topicId}/labels", body=("labelId",)),
    "removeTopicLabel": Route("DELETE", "/v2/topics/{topicId}/labels/{labelId}"),
    "sendMessage": Route("POST", "/v2/messages", body=("topicId", "text", "streaming", "actions", "forwardMessageId", "sendAt", "parentId", "alsoInTopic", "externalId",), form=("topicId", "caption", "parentId", "alsoInTopic", "externalId", "compressImage", "waveform",)),
    "appendToMessage": Route("POST", "/v2/messages/{messageId}/append", body=("text", "from",)),
    "setProgress": Route("PUT", "/v2/messages/{messageId}/progress", body=("steps", "sources", "activity",)),
    "finishMessage": Route("POST", "/v2/messages/{messageId}/finish", body=("text", "status", "actions",)),
    "tellWorking": Route("POST", "/v2/topics/{topicId}/working", body=("parentId",)),
    "listMessages": Route("GET", "/v2/topics/{topicId}/messages", query=("limit", "cursor", "before", "after", "senderId", "order", "includeSystem", "threadId", "includeReactionUsers",)),
    "readMessage": Route("GET", "/v2/messages/{messageId}"),
    "readContext": Route("GET", "/v2/topics/{topicId}/context", query=("message", "tokens",)),
    "editMessage": Route("PATCH", "/v2/messages/{messageId}", body=("text", "actions",), nulls=("actions",)),
    "deleteMessage": Route("DELETE", "/v2/messages/{messageId}"),
    "markDelivered": Route("POST", "/v2/messages/{messageId}/delivered"),
    "markRead": Route("POST", "/v2/messages/{messageId}/read"),
    "listScheduledMessages": Route("GET", "/v2/scheduled-messages", query=("limit", "cursor",)),
    "updateScheduledMessage": Route("PATCH", "/v2/scheduled-messages/{scheduledMessageId}", body=("text", "sendAt",)),
    "cancelScheduledMessage": Route("DELETE", "/v2/scheduled-messages/{scheduledMessageId}"),
    "sendScheduledMessage": Route("POST", "/v2/scheduled-messages/{scheduledMessageId}/send"),
    "noteAction": Route("POST", "/v2/actions/{actionId}/note", body=("text",)),
    "answerPrivately": Route("PUT", "/v2/messages/{messageId}/private-answers/{memberId}", body=("text",)),
    "withdrawPrivateAnswer": Route("DELETE", "/v2/messages/{messageId}/private-answers/{memberId}"),
    "askQuestion": Route("POST", "/v2/questions", body=("topicId", "text", "title", "facts", "elements", "who", "people", "approval", "quorum", "decisive", "expiresAt", "otherwise", "parentId", "key",)),
    "readQuestion": Route("GET", "/v2/questions/{questionId}", query=("wait",)),
    "withdrawQuestion": Route("DELETE", "/v2/questions/{questionId}"),
    "listCommands": Route("GET", "/v2/commands"),
    "setCommands": Route("PUT", "/v2/commands", body=("commands",)),
    "listPrompts": Route("GET", "/v2/prompts"),
    "setPrompts": Route("PUT", "/v2/prompts", body=("prompts",)),
    "addReaction": Route("POST", "/v2/messages/{messageId}/reactions", body=("reaction",)),
    "removeReaction": Route("DELETE", "/v2/messages/{messageId}/reactions/{reactionId}"),
    "listEmoji": Route("GET", "/v2/emoji"),
    "listTasks": Route("GET", "/v2/tasks", query=("limit", "cursor", "topicId", "status", "assignee",)),
    "readTask": Route("GET", "/v2/tasks/{taskId}"),
    "createTask": Route("POST", "/v2/tasks", body=("topicId", "title", "description", "assignee", "dueDate", "externalId",)),
    "updateTask": Route("PATCH", "/v2/tasks/{taskId}", body=("topicId", "name", "title", "description", "assignee", "dueDate", "status",)),
    "deleteTask": Route("DELETE", "/v2/tasks/{taskId}"),
    "createPoll": Route("POST", "/v2/polls", body=("topicId", "question", "selectionType", "options", "anonymous", "subtitle", "expiresAt",)),
    "castVote": Route("POST", "/v2/polls/{pollId}/votes", body=("optionId",)),
    "retractVote": Route("DELETE", "/v2/polls/{pollId}/votes/{voteId}"),
    "listMembers": Route("GET", "/v2/members", query=("limit", "cursor", "offset", "emails", "status",)),
    "readMe": Route("GET", "/v2/members/me"),
    "readMember": Route("GET", "/v2/members/{memberId}"),
    "listOrgUnits": Route("GET", "/v2/org-units", query=("limit", "cursor",)),
    "readOrgUnit": Route("GET", "/v2/org-units/{orgUnitId}"),
    "addOrgUnitMembers": Route("POST", "/v2/org-units/{orgUnitId}/members", body=("memberIds",)),
    "removeOrgUnitMembers": Route("DELETE", "/v2/org-units/{orgUnitId}/members", body=("memberIds",)),
    "listGroups": Route("GET", "/v2/groups", query=("limit", "cursor", "search",)),
    "readGroup": Route("GET", "/v2/groups/{groupId}"),
    "listGroupMembers": Route("GET", "/v2/groups/{groupId}/members", query=("limit", "cursor",)),
    "search": Route("GET", "/v2/search", query=("limit", "cursor", "q", "order", "kind", "timeZone",)),
    "listStorage": Route("GET", "/v2/storage", query=("limit", "cursor", "prefix",)),
    "readStorage": Route("GET", "/v2/storage/{key}"),
    "writeStorage": Route("PUT", "/v2/storage/{key}", body=("value", "version",), nulls=("value",)),
    "deleteStorage": Route("DELETE", "/v2/storage/{key}", query=("version",)),
    "readUsage": Route("GET", "/v2/usage"),
    "reportUsage": Route("POST", "/v2/usage", body=("tokens",)),
}
