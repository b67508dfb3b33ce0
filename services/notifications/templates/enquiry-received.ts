import type { RenderContext, Template } from './template.ts'

export function enquiryReceived({ brand }: RenderContext): Template {
  return {
    subject: `We received your message to ${brand.name}`,
    topic: 'Your message',
    preheader: 'We reply within 1-2 business days.',
    blocks: [
      {
        type: 'paragraph',
        text: `Thank you for your message to ${brand.name}. We reply by e-mail within 1-2 business days.`,
      },
      { type: 'paragraph', text: 'You need not do anything.' },
    ],
    note: 'If you did not write to us, ignore this mail.',
  }
}
