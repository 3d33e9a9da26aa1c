export const isEmailAddress = (text: string): boolean =>
  /^[^\s@<>;,]+@[^\s@<>;,.]+(?:\.[^\s@<>;,.]+)+$/.test(text)
