import { useEffect, useState } from 'react'
import { longestSearch } from '#contracts/paging'
import { SearchIcon } from '../../../ui/table-icons.tsx'

interface SearchBoxProps {
  readonly label: string
  readonly value: string
  readonly onChange: (value: string) => void
}

const typingPauseMs = 300

/** Searches after a pause in typing. Follows changes of the address. Escape clears the field. */
export function SearchBox({ label, value, onChange }: SearchBoxProps) {
  const [text, setText] = useState(value)
  const [applied, setApplied] = useState(value)
  if (value !== applied) {
    setApplied(value)
    setText(value)
  }

  useEffect(() => {
    const search = text.trim().slice(0, longestSearch)
    if (search === value) return
    const timer = setTimeout(() => {
      setApplied(search)
      onChange(search)
    }, typingPauseMs)
    return () => clearTimeout(timer)
  }, [text, value, onChange])

  return (
    <div className="rcv-search">
      <SearchIcon />
      <input
        type="search"
        className="input"
        dir="auto"
        aria-label={`Search by ${label.toLowerCase()}`}
        placeholder={label}
        value={text}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === 'Escape') setText('')
        }}
      />
    </div>
  )
}
