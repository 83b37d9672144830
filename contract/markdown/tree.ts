/** The tree of a message's Markdown. There is no node for HTML and none that loads anything: anything else cannot be shown. */
export type Inline =
  | { kind: 'text'; text: string }
  | { kind: 'break' }
  | { kind: 'strong' | 'emphasis' | 'strike'; children: Inline[] }
  | { kind: 'code'; text: string }
  | { kind: 'link'; href: string; children: Inline[] }
  | { kind: 'mention'; id: string }
  /** `<@everyone>`, `<@here>` or `<@tag>`, where the message mentions that. */
  | { kind: 'group'; word: string }
  | { kind: 'checkbox'; isChecked: boolean }

export type Alignment = 'center' | 'left' | 'right' | null

export type Block =
  | { kind: 'paragraph'; children: Inline[] }
  | { kind: 'heading'; level: number; children: Inline[] }
  | { kind: 'code'; text: string; language: string }
  | { kind: 'quote'; blocks: Block[] }
  | { kind: 'list'; start: number | undefined; items: Block[][] }
  | { kind: 'table'; align: Alignment[]; head: Inline[][]; rows: Inline[][][] }
  | { kind: 'rule' }
  /** Shown as it was written, with its line breaks. */
  | { kind: 'plain'; text: string }

export type Markdown = { blocks: Block[]; isEmojiOnly: boolean }
