/** What is wrong with a configuration: values for a person to read, never a throw. */
export interface Problem {
  /** What it is about, in the words of product.md. */
  kind:
    | 'organization'
    | 'vertical'
    | 'campaign'
    | 'group'
    | 'publisherTier'
    | 'buyerTier'
    | 'service'
    | 'promotion'
    | 'abTest'
    | 'suppressionList';
  id: string;
  /** leftOut: the thing takes no part in routing. warning: it does, without the faulty detail. */
  severity: 'leftOut' | 'warning';
  /** A sentence without its full stop, beginning in lower case. */
  text: string;
}
