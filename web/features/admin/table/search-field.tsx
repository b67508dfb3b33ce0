import { Input } from 'antd'
import type { InputRef } from 'antd'
import { useEffect, useId, useRef, useState, type KeyboardEvent as ReactKeyboardEvent } from 'react'
import { longestSearch } from '#contracts/paging'
import { CloseIcon } from '../../../ui/icons.tsx'
import { SearchIcon } from '../../../ui/table-icons.tsx'

interface SearchFieldProps {
  readonly label: string
  readonly placeholder: string
  readonly value: string
  readonly onChange: (value: string) => void
}

const typingPauseMs = 300

/**
 * Searches after a pause in typing. Follows changes of the URL. The key `/` focuses the field.
 * Escape clears the field; in an empty field it returns the focus to where it was.
 */
export function SearchField({ label, placeholder, value, onChange }: SearchFieldProps) {
  const [text, setText] = useState(value)
  const [applied, setApplied] = useState(value)
  const problemId = useId()
  const isTooLong = text.trim().length > longestSearch
  const input = useRef<InputRef>(null)
  const focusBefore = useRef<Element | null>(null)

  if (value !== applied) {
    setApplied(value)
    setText(value)
  }

  useEffect(() => {
    if (text.trim() === value || isTooLong) return
    const timer = setTimeout(() => {
      setApplied(text.trim())
      onChange(text.trim())
    }, typingPauseMs)
    return () => clearTimeout(timer)
  }, [text, value, isTooLong, onChange])

  useEffect(() => {
    function onKeyDown(event: KeyboardEvent): void {
      if (!isShortcut(event)) return
      event.preventDefault()
      focusBefore.current = document.activeElement
      input.current?.focus({ cursor: 'all' })
    }
    document.addEventListener('keydown', onKeyDown)
    return () => document.removeEventListener('keydown', onKeyDown)
  }, [])

  function onKeyDown(event: ReactKeyboardEvent): void {
    if (event.key !== 'Escape') return
    if (text !== '') return setText('')
    input.current?.blur()
    if (focusBefore.current instanceof HTMLElement) focusBefore.current.focus()
  }

  return (
    <div className="list-search">
      <Input
        ref={input}
        aria-label={label}
        aria-keyshortcuts="/"
        placeholder={placeholder}
        aria-invalid={isTooLong || undefined}
        aria-describedby={isTooLong ? problemId : undefined}
        prefix={<SearchIcon />}
        allowClear={{ clearIcon: <ClearSearch /> }}
        value={text}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={onKeyDown}
      />
      {isTooLong && (
        <p id={problemId} className="list-problem" role="alert">
          A search has {longestSearch} characters at most.
        </p>
      )}
    </div>
  )
}

/** A `/` that no field takes as text, while no dialog is open. */
function isShortcut({ key, ctrlKey, metaKey, altKey, target }: KeyboardEvent): boolean {
  if (key !== '/' || ctrlKey || metaKey || altKey) return false
  if (document.querySelector('dialog[open]') !== null) return false
  return !(
    target instanceof HTMLElement &&
    target.closest('input, textarea, select, [contenteditable=true]') !== null
  )
}

function ClearSearch() {
  return (
    <>
      <CloseIcon />
      <span className="sr-only">Clear search</span>
    </>
  )
}
