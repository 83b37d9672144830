import {
  createContext,
  Fragment,
  type ReactElement,
  useContext,
  useLayoutEffect,
  useRef,
  useState,
} from 'react'
import { type CustomItemComponentProps, Virtualizer } from 'virtua'

/** Shorter lists are drawn whole: so many rows cost a page nothing, and the browser finds words in them. */
const DRAWN_WHOLE = 60
/** Rows of a longer list that are drawn before anything has been measured. */
const DRAWN_FIRST = 30
/** Marks the element that scrolls around a list. */
export const SCROLLER = { 'data-scroller': '' }

const Size = createContext(0)

/** A row of a list of which only a part is drawn: it says where it stands. */
function Row({ index, children, ...props }: CustomItemComponentProps) {
  return (
    <li {...props} aria-posinset={index + 1} aria-setsize={useContext(Size)}>
      {children}
    </li>
  )
}

/** Rows of one height, of which only those in sight are drawn. It stands in an element with `SCROLLER`, beside other things. */
export function WindowedList<Item>({
  items,
  keyOf,
  row,
  rowPx,
  kept = -1,
  onEnd,
  className,
}: {
  items: readonly Item[]
  keyOf: (item: Item) => string
  row: (item: Item) => ReactElement
  rowPx: number
  /** The place of a row that stays drawn wherever the list is; negative: none. */
  kept?: number
  /** The end of the list is near. */
  onEnd?: (() => void) | undefined
  className?: string | undefined
}) {
  const place = useRef<HTMLDivElement>(null)
  const scroller = useRef<HTMLElement>(null)
  const [above, setAbove] = useState(0)
  // Elements above the list may have grown with this drawing.
  useLayoutEffect(() => {
    scroller.current = place.current?.closest<HTMLElement>('[data-scroller]') ?? null
    if (!place.current || !scroller.current) return
    const { top } = place.current.getBoundingClientRect()
    setAbove(Math.round(top - scroller.current.getBoundingClientRect().top + scroller.current.scrollTop))
  })
  if (items.length <= DRAWN_WHOLE) {
    return (
      <ul className={className}>
        {items.map((item) => (
          <li key={keyOf(item)}>{row(item)}</li>
        ))}
      </ul>
    )
  }
  const look = () => {
    if (!onEnd || !place.current || !scroller.current) return
    const below =
      place.current.getBoundingClientRect().bottom - scroller.current.getBoundingClientRect().bottom
    if (below < scroller.current.clientHeight) onEnd()
  }
  return (
    <Size value={items.length}>
      <div ref={place} className={className}>
        <Virtualizer
          as="ul"
          item={Row}
          data={items}
          itemSize={rowPx}
          ssrCount={Math.min(DRAWN_FIRST, items.length)}
          startMargin={above}
          scrollRef={scroller}
          onScroll={look}
          keepMounted={kept < 0 ? [] : [kept]}
        >
          {(item) => <Fragment key={keyOf(item)}>{row(item)}</Fragment>}
        </Virtualizer>
      </div>
    </Size>
  )
}
