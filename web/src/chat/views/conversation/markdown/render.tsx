import { Fragment, type ReactNode } from 'react'
import { Link } from 'wouter'
import type { Block, Inline, Markdown } from '../../../../../../contract/markdown/tree.ts'
import { classes } from '../../../../kit/classes.ts'
import { useChat } from '../../../store/context.tsx'
import { topicPath } from '../../addresses.ts'
import { EmojiText } from '../emoji/custom.tsx'
import { GroupMention } from '../message/group-mention.tsx'
import { Mention } from '../message/mention.tsx'
import { chatLinkOf } from './chat-links.ts'
import { CodeBlock } from './code-block.tsx'
import styles from './render.module.css'

/** Draws a tree of Markdown. Its nodes have no names, and never move: their place is their key. */
export function MarkdownText({ markdown, after }: { markdown: Markdown; after?: ReactNode }) {
  // `after` stands in the last line of the text, if that is a line of words.
  const last = markdown.blocks.at(-1)
  const fitsInside = last !== undefined && endsInWords(last)
  return (
    <div className={classes(styles.text, markdown.isEmojiOnly && styles.large)} dir="auto">
      <Blocks blocks={markdown.blocks} after={fitsInside ? after : undefined} />
      {!fitsInside && after}
    </div>
  )
}

function endsInWords(block: Block): boolean {
  if (block.kind === 'paragraph' || block.kind === 'heading') return true
  const inner = block.kind === 'list' ? block.items.at(-1) : block.kind === 'quote' ? block.blocks : undefined
  const last = inner?.at(-1)
  return last !== undefined && endsInWords(last)
}

/** `after` goes into the last line of words; only blocks for which `endsInWords` holds get it. */
function BlockView({ block, after }: { block: Block; after?: ReactNode }) {
  switch (block.kind) {
    case 'paragraph':
      return (
        <p dir="auto">
          <Inlines nodes={block.children} />
          {after}
        </p>
      )
    case 'heading':
      // In a conversation it is a line in bold, not a part of the page's outline.
      return (
        <p className={block.level < 3 ? styles.title : styles.subtitle} dir="auto">
          <Inlines nodes={block.children} />
          {after}
        </p>
      )
    case 'code':
      return <CodeBlock text={block.text} language={block.language} />
    case 'quote':
      return (
        <blockquote>
          <Blocks blocks={block.blocks} after={after} />
        </blockquote>
      )
    case 'list': {
      const items = block.items.map((item, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: see above
        <li key={index} dir="auto">
          <Blocks blocks={item} after={index === block.items.length - 1 ? after : undefined} />
        </li>
      ))
      return block.start === undefined ? <ul>{items}</ul> : <ol start={block.start}>{items}</ol>
    }
    case 'table':
      return <TableView table={block} />
    case 'rule':
      return <hr />
    case 'plain':
      return <p className={styles.plain}>{block.text}</p>
  }
}

const Blocks = ({ blocks, after }: { blocks: readonly Block[]; after?: ReactNode }): ReactNode =>
  blocks.map((block, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: see above
    <BlockView key={index} block={block} after={index === blocks.length - 1 ? after : undefined} />
  ))

function TableView({ table }: { table: Extract<Block, { kind: 'table' }> }) {
  const cellStyle = (column: number) => ({ textAlign: table.align[column] ?? undefined })
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what is wider than its place is scrolled with the keyboard too
    <div className={styles.table} tabIndex={0}>
      <table>
        <thead>
          <tr>
            {table.head.map((cell, column) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: see above
              <th key={column} scope="col" style={cellStyle(column)}>
                <Inlines nodes={cell} />
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {table.rows.map((row, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: see above
            <tr key={index}>
              {row.map((cell, column) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: see above
                <td key={column} style={cellStyle(column)}>
                  <Inlines nodes={cell} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

const Inlines = ({ nodes }: { nodes: readonly Inline[] }): ReactNode =>
  nodes.map((node, index) => {
    const isAlone = endsLine(nodes[index - 1]) && endsLine(nodes[index + 1])
    // biome-ignore lint/suspicious/noArrayIndexKey: see above
    return <Fragment key={index}>{inline(node, isAlone)}</Fragment>
  })

const endsLine = (neighbour: Inline | undefined): boolean =>
  neighbour === undefined || neighbour.kind === 'break'

/** A link that has a line to itself is a target of its own, tall enough beside those on the next lines. */
function inline(node: Inline, isAlone: boolean): ReactNode {
  switch (node.kind) {
    case 'text':
      return node.text.includes(':') ? <EmojiText text={node.text} /> : node.text
    case 'break':
      return <br />
    case 'strong':
      return (
        <strong>
          <Inlines nodes={node.children} />
        </strong>
      )
    case 'emphasis':
      return (
        <em>
          <Inlines nodes={node.children} />
        </em>
      )
    case 'strike':
      return (
        <del>
          <Inlines nodes={node.children} />
        </del>
      )
    case 'code':
      return (
        <code className={styles.code} dir="ltr">
          {node.text}
        </code>
      )
    case 'link':
      return (
        <LinkView href={node.href} isAlone={isAlone}>
          {node.children}
        </LinkView>
      )
    case 'mention':
      return <Mention id={node.id} />
    case 'group':
      return <GroupMention word={node.word} />
    case 'checkbox':
      return <span className={styles.box}>{node.isChecked ? '☑' : '☐'} </span>
  }
}

function LinkView({
  href,
  isAlone,
  children,
}: {
  href: string
  isAlone: boolean
  children: readonly Inline[]
}) {
  const look = classes(styles.link, isAlone && styles.alone)
  const place = chatLinkOf(href, window.location.origin)
  const topicName = useChat((state) =>
    place && 'topicId' in place ? state.topics.get(place.topicId)?.name : undefined,
  )
  if (place && 'topicId' in place && topicName !== undefined) {
    return (
      <Link to={topicPath(place.topicId)} className={styles.chip}>
        #<bdi>{topicName}</bdi>
      </Link>
    )
  }
  if (place) {
    return (
      <Link to={href.slice(window.location.origin.length)} className={look}>
        <Inlines nodes={children} />
      </Link>
    )
  }
  return (
    <a href={href} target="_blank" rel="noopener noreferrer" className={look} title={href}>
      <Inlines nodes={children} />
    </a>
  )
}
