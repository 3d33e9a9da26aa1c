/** Signs of ASCII alone: few mail servers take others, and a letter that is never delivered is worse than one more question. */
export const isEmailAddress = (text: string): boolean =>
  /^[\w.!#$%&'*+/=?^`{|}~-]+@(?:[a-z\d](?:[a-z\d-]*[a-z\d])?\.)+[a-z]{2,}$/i.test(text)
