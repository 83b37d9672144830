import { Fragment, type ReactNode } from 'react'
import { Link } from 'wouter'
import { anchorOf, plainText } from '../../../../contract/markdown/guides.ts'
import type { Block, Inline } from '../../../../contract/markdown/tree.ts'
import { docs } from '../../texts/docs.ts'
import { useTexts } from '../../texts/texts.ts'
import { CodeCard } from './code.tsx'
import { operationPath } from './content.ts'
import { useDocs } from './context.ts'
import styles from './guide-text.module.css'

/** Draws the Markdown of a guide. Its nodes have no names, and never move: their place is their key. */
export function GuideText({ blocks }: { blocks: readonly Block[] }) {
  return (
    <div className={styles.text} lang="en">
      <Blocks blocks={blocks} />
    </div>
  )
}

export const Blocks = ({ blocks }: { blocks: readonly Block[] }): ReactNode =>
  // biome-ignore lint/suspicious/noArrayIndexKey: see above
  blocks.map((block, index) => <BlockView key={index} block={block} />)

function BlockView({ block }: { block: Block }) {
  const t = useTexts(docs)
  switch (block.kind) {
    case 'paragraph':
      return (
        <p>
          <Inlines nodes={block.children} />
        </p>
      )
    case 'heading':
      return <Heading level={block.level} nodes={block.children} />
    case 'code':
      return <CodeCard text={block.text} language={block.language} copied={t.copyCode} />
    case 'quote':
      return (
        <blockquote>
          <Blocks blocks={block.blocks} />
        </blockquote>
      )
    case 'list': {
      const items = block.items.map((item, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: see above
        <li key={index}>
          <Blocks blocks={item} />
        </li>
      ))
      return block.start === undefined ? <ul>{items}</ul> : <ol start={block.start}>{items}</ol>
    }
    case 'table':
      return <TableView table={block} />
    case 'rule':
      return <hr />
    case 'plain':
      return <p>{block.text}</p>
  }
}

function Heading({ level, nodes }: { level: number; nodes: readonly Inline[] }) {
  const t = useTexts(docs)
  const words = plainText(nodes)
  const anchor = anchorOf(words)
  const Tag = level < 3 ? 'h2' : level === 3 ? 'h3' : 'h4'
  return (
    <Tag id={anchor} className={styles.heading}>
      <Inlines nodes={nodes} />
      <a href={`#${anchor}`} className={styles.anchor} aria-label={t.linkTo(words)}>
        #
      </a>
    </Tag>
  )
}

function TableView({ table }: { table: Extract<Block, { kind: 'table' }> }) {
  // A table whose columns need no names has an empty row above it.
  const hasHead = table.head.some((cell) => plainText(cell) !== '')
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what is wider than its place is scrolled with the keyboard too
    <div className={styles.table} tabIndex={0}>
      <table>
        {hasHead && (
          <thead>
            <tr>
              {table.head.map((cell, column) =>
                plainText(cell) === '' ? (
                  // biome-ignore lint/suspicious/noArrayIndexKey: see above
                  <td key={column} />
                ) : (
                  // biome-ignore lint/suspicious/noArrayIndexKey: see above
                  <th key={column} scope="col">
                    <Inlines nodes={cell} />
                  </th>
                ),
              )}
            </tr>
          </thead>
        )}
        <tbody>
          {table.rows.map((row, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: see above
            <tr key={index}>
              {row.map((cell, column) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: see above
                <td key={column}>
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
  // biome-ignore lint/suspicious/noArrayIndexKey: see above
  nodes.map((node, index) => <Fragment key={index}>{inline(node)}</Fragment>)

function inline(node: Inline): ReactNode {
  switch (node.kind) {
    case 'text':
      return node.text
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
      return <InlineCode text={node.text} />
    case 'link':
      return <GuideLink href={node.href}>{node.children}</GuideLink>
    case 'mention':
      return `<@${node.id}>`
    case 'checkbox':
      return node.isChecked ? '☑ ' : '☐ '
  }
}

/** The name of an operation, such as `POST /v2/topics`, leads to its page. */
function InlineCode({ text }: { text: string }) {
  const { operations } = useDocs()
  const [, method, path] = /^([A-Z]+) (\/\S+)$/.exec(text) ?? []
  const operation =
    path === undefined ? undefined : operations.find((one) => one.method === method && one.path === path)
  const code = <code dir="ltr">{text}</code>
  return operation ? <Link to={operationPath(operation.id)}>{code}</Link> : code
}

function GuideLink({ href, children }: { href: string; children: readonly Inline[] }) {
  const label = <Inlines nodes={children} />
  if (href.startsWith('/docs/')) return <Link to={href}>{label}</Link>
  if (href.startsWith('#')) return <a href={href}>{label}</a>
  return (
    <a href={href} target="_blank" rel="noopener noreferrer">
      {label}
    </a>
  )
}
