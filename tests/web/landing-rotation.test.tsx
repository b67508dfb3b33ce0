import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals'
import { act, cleanup, fireEvent, render, screen } from '@testing-library/react'
import { MemoryRouter } from 'react-router-dom'
import { siteContent } from '#contracts/brand/site-content'
import { LandingPage } from '../../web/features/landing/landing-page.tsx'

/*
 * The rotating parts of the landing page: subtitles and pictures (5 s), features (4 s), reasons
 * (6 s). They stop under the pointer, under the focus, by a button, in a hidden tab and under
 * reduced motion.
 */

const { hero, features, reasons } = siteContent
const { matchMedia } = window

beforeEach(() => void jest.useFakeTimers())
afterEach(() => {
  cleanup()
  window.matchMedia = matchMedia
  jest.restoreAllMocks()
  jest.useRealTimers()
})

const wait = (seconds: number) => act(() => jest.advanceTimersByTime(seconds * 1000))

function open() {
  render(
    <MemoryRouter>
      <LandingPage pricing={null} contactForm={null} />
    </MemoryRouter>,
  )
}

const shownSubtitle = () => document.querySelector('.subtitle-shown')?.textContent
const shownSlide = () => document.querySelector('[role=tab][aria-selected=true]')?.textContent
const shownFeature = () => document.querySelector('.features-highlighted h3')?.textContent
const panels = () => [...document.querySelectorAll('.reasons-panels button')]
const openReasons = () =>
  panels().flatMap((panel, at) => (panel.getAttribute('aria-expanded') === 'true' ? [at] : []))
const plateCaption = () => document.querySelector('.reasons-plate figcaption')?.textContent

interface Rotating {
  readonly part: string
  readonly seconds: number
  readonly all: readonly string[]
  readonly shown: () => string | null | undefined
  /** The element that holds the time under the pointer and the focus. */
  readonly zone: string
  readonly pause: string
}

const rotating: readonly Rotating[] = [
  {
    part: 'the subtitle',
    seconds: 5,
    all: hero.scenes.map(({ subtitle }) => subtitle),
    shown: shownSubtitle,
    zone: '.subtitles-texts',
    pause: 'Pause the subtitles and pictures',
  },
  {
    part: 'the carousel',
    seconds: 5,
    all: hero.scenes.map(({ label }) => label),
    shown: shownSlide,
    zone: '.slides-pictures',
    pause: 'Pause the pictures and subtitles',
  },
  {
    part: 'the highlight of the features',
    seconds: 4,
    all: features.cards.map(({ title }) => title),
    shown: shownFeature,
    zone: '.features',
    pause: 'Pause the highlight',
  },
  {
    part: 'the reasons',
    seconds: 6,
    all: reasons.map(({ caption }) => caption),
    shown: plateCaption,
    zone: '.reasons-panels',
    pause: 'Pause the reasons',
  },
]

describe.each(rotating)('$part', ({ seconds, all, shown, zone, pause }) => {
  const held = () => document.querySelector(zone)!

  it(`shows each of its parts for ${seconds} s, then the first again`, () => {
    open()
    for (const part of [...all, all[0]]) {
      expect(shown()).toBe(part)
      wait(seconds - 0.001)
      expect(shown()).toBe(part)
      wait(0.001)
    }
  })

  it('stops under the pointer, and continues with the time that was left', () => {
    open()
    wait(seconds - 1)
    fireEvent.pointerEnter(held())
    wait(60)
    expect(shown()).toBe(all[0])
    fireEvent.pointerLeave(held())
    wait(0.999)
    expect(shown()).toBe(all[0])
    wait(0.001)
    expect(shown()).toBe(all[1])
  })

  it('stops while it has the focus', () => {
    open()
    fireEvent.focus(held())
    wait(60)
    expect(shown()).toBe(all[0])
    fireEvent.blur(held(), { relatedTarget: document.body })
    wait(seconds)
    expect(shown()).toBe(all[1])
  })

  it('stops by its button until the button is pressed again', () => {
    open()
    fireEvent.click(screen.getByLabelText(pause))
    wait(60)
    expect(shown()).toBe(all[0])
    fireEvent.click(screen.getByLabelText(pause.replace('Pause', 'Resume')))
    wait(seconds)
    expect(shown()).toBe(all[1])
  })

  it('stops in a hidden tab', () => {
    open()
    wait(seconds - 1)
    const visibility = jest.spyOn(document, 'visibilityState', 'get').mockReturnValue('hidden')
    fireEvent(document, new Event('visibilitychange'))
    wait(60)
    expect(shown()).toBe(all[0])
    visibility.mockRestore()
    fireEvent(document, new Event('visibilitychange'))
    wait(1)
    expect(shown()).toBe(all[1])
  })

  it('does not rotate if the visitor prefers reduced motion', () => {
    window.matchMedia = (media) =>
      Object.assign(matchMedia(media), { matches: /reduced-motion/.test(media) })
    open()
    wait(60)
    expect(shown()).toBe(all[0])
    expect(screen.queryByLabelText(pause)).toBeNull()
  })

  it('shows the time that runs as a line, and holds the line with the time', () => {
    open()
    const lines = () => [...document.querySelectorAll(`.rotation-${seconds}s`)]
    expect(lines().length).toBeGreaterThan(0)
    expect(lines().some((line) => line.classList.contains('rotation-held'))).toBe(false)
    fireEvent.pointerEnter(held())
    expect(
      lines().filter((line) => line.classList.contains('rotation-held')).length,
    ).toBeGreaterThan(0)
  })
})

describe('the carousel', () => {
  const tabs = () => [...document.querySelectorAll<HTMLElement>('[role=tab]')]

  it('shows the picture of a pressed tab for a whole turn', () => {
    open()
    wait(3)
    fireEvent.click(tabs()[2]!)
    expect(shownSlide()).toBe(hero.scenes[2]!.label)
    wait(4.999)
    expect(shownSlide()).toBe(hero.scenes[2]!.label)
    wait(0.001)
    expect(shownSlide()).toBe(hero.scenes[3]!.label)
  })

  it('moves by the arrow keys, Home and End, around its ends', () => {
    open()
    const steps = [
      ['ArrowRight', 1],
      ['End', 3],
      ['ArrowRight', 0],
      ['ArrowLeft', 3],
      ['Home', 0],
    ] as const
    for (const [key, at] of steps) {
      fireEvent.keyDown(document.querySelector('[role=tab][aria-selected=true]')!, { key })
      expect(shownSlide()).toBe(hero.scenes[at]!.label)
      expect(tabs()[at]).toHaveFocus()
    }
    expect(tabs().filter((each) => each.tabIndex === 0)).toHaveLength(1)
  })

  it('loads a picture one turn before it is shown', async () => {
    open()
    const loaded = () =>
      [...document.querySelectorAll('.slides-pictures :is(figure, img)')].map(
        (picture) => picture.getAttribute('alt') ?? picture.ariaLabel,
      )
    // React shows a lazy slide in a microtask after its code has arrived.
    const afterImports = () =>
      act(async () => {
        await import('../../web/features/landing/slides/screen-picture.tsx')
      })
    const [first, second, third] = hero.scenes.map(({ alt }) => alt)
    await afterImports()
    expect(loaded()).toEqual([first, second])
    wait(5)
    await afterImports()
    expect(loaded()).toEqual([first, second, third])
  })
})

describe('the reasons', () => {
  it('open one panel at a time, with its illustration', () => {
    open()
    for (const [at] of reasons.entries()) {
      expect(openReasons()).toEqual([at])
      wait(6)
    }
  })

  it('stop for good after a click on a panel', () => {
    open()
    fireEvent.click(panels()[3]!)
    expect(openReasons()).toEqual([3])
    expect(plateCaption()).toBe(reasons[3]!.caption)
    wait(60)
    expect(openReasons()).toEqual([3])
    expect(screen.queryByLabelText(/the reasons$/)).toBeNull()
  })

  it('close the open panel by a click, with the first illustration', () => {
    open()
    wait(6)
    wait(6)
    expect(openReasons()).toEqual([2])
    fireEvent.click(panels()[2]!)
    expect(openReasons()).toEqual([])
    expect(plateCaption()).toBe(reasons[0]!.caption)
    wait(60)
    expect(openReasons()).toEqual([])
    fireEvent.click(panels()[5]!)
    expect(openReasons()).toEqual([5])
    expect(plateCaption()).toBe(reasons[5]!.caption)
  })
})
