import type { Brand, BrandColors } from '#contracts/brand/brand'
import type { MailSender } from '../mail-sender.ts'

/*
 * Colors of a mail. Each element has its light color as an inline style, because some mail programs
 * ignore style elements, and a class by which the style element changes the color in the dark.
 */

const texts = [
  'ink',
  'ink2',
  'link',
  'onDeep',
  'onDeep2',
  'positive',
  'negative',
  'onAction',
] as const
const grounds = [
  'ground',
  'surface',
  'surface2',
  'deep',
  'ink',
  'accent',
  'action',
  'positiveFill',
  'negativeFill',
] as const
const edges = ['ink', 'rule'] as const

/** The colors of the brand, and of the one button. A merchant's mail has its color on both. */
type MailColors = BrandColors & Readonly<Record<'action' | 'onAction', string>>

export interface MailPalette {
  readonly light: MailColors
  readonly dark: MailColors
}

/** The needle and the button in the color of the sender. Without one, the button is ink. */
export function paletteOf(
  { light, dark }: Pick<Brand, 'light' | 'dark'>,
  sender: Pick<MailSender, 'shades'> | null,
): MailPalette {
  const colors = (own: BrandColors, shades: MailSender['shades']['light'] | undefined) =>
    shades === undefined
      ? { ...own, action: own.ink, onAction: own.surface }
      : { ...own, accent: shades.edge, action: shades.fill, onAction: shades.onFill }
  return { light: colors(light, sender?.shades.light), dark: colors(dark, sender?.shades.dark) }
}

export interface Paint {
  readonly text?: (typeof texts)[number]
  readonly ground?: (typeof grounds)[number]
  /** The color of borders. Their width and style are the element's own. */
  readonly edge?: (typeof edges)[number]
}

export interface Painted {
  readonly className: string
  readonly style: Readonly<Record<string, string>>
}

/** The classes and the inline styles of the light colors. */
export function paint(
  { light }: Pick<MailPalette, 'light'>,
  { text, ground, edge }: Paint,
): Painted {
  return {
    className: [text && `t-${text}`, ground && `g-${ground}`, edge && `e-${edge}`]
      .filter(Boolean)
      .join(' '),
    style: {
      ...(text && { color: light[text] }),
      ...(ground && { backgroundColor: light[ground] }),
      ...(edge && { borderColor: light[edge] }),
    },
  }
}

/**
 * The dark colors: by media query, and by the attributes that Outlook's apps and Outlook.com set
 * when they darken a mail. An inline style has priority over a style element, hence `!important`.
 */
export function darkStyle({ dark }: Pick<MailPalette, 'dark'>): string {
  return [
    `@media (prefers-color-scheme:dark){${rules(dark, '', '')}}`,
    rules(dark, '[data-ogsc] ', '[data-ogsb] '),
  ].join('')
}

function rules(dark: MailColors, ofTexts: string, ofGrounds: string): string {
  return [
    ...texts.map((name) => `${ofTexts}.t-${name}{color:${dark[name]}!important}`),
    ...grounds.map((name) => `${ofGrounds}.g-${name}{background-color:${dark[name]}!important}`),
    ...edges.map((name) => `${ofGrounds}.e-${name}{border-color:${dark[name]}!important}`),
  ].join('')
}
