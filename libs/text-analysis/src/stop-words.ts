/**
 * Lists frequent function words of Hindi. A longer list would contain words such as `पहले` (first), which are
 * significant in questions.
 */
export const HINDI_STOP_WORDS: readonly string[] = [
  ...['के', 'का', 'की', 'को', 'ने', 'से', 'में', 'पर', 'और', 'है', 'हैं', 'था', 'थे', 'थी', 'हो', 'कि', 'जो', 'तो', 'ही', 'भी'],
  ...['एक', 'यह', 'वह', 'इस', 'उस', 'लिए', 'किया', 'गया', 'हुआ', 'हुई', 'हुए', 'या', 'नहीं', 'कौन', 'किस', 'क्या'],
];

/** Lists frequent function words of Persian. */
export const PERSIAN_STOP_WORDS: readonly string[] = [
  ...['و', 'در', 'به', 'از', 'که', 'این', 'را', 'با', 'است', 'برای', 'آن', 'یک', 'خود', 'تا', 'بر', 'بود', 'شد', 'هم'],
  ...[
    'نیز',
    'شده',
    'شود',
    'کرد',
    'کرده',
    'کند',
    'یا',
    'اما',
    'اگر',
    'هر',
    'همه',
    'باید',
    'بین',
    'پس',
    'پیش',
    'چه',
    'چرا',
  ],
  ...['چند', 'چگونه', 'چیست', 'کجا', 'کدام', 'کی', 'کسی', 'ها', 'های', 'هایی', 'می', 'نمی', 'دارد', 'دارند', 'داشت'],
  ...['بودند', 'شدند', 'هستند', 'هست', 'نیست', 'خواهد', 'دیگر', 'روی', 'زیر', 'سپس', 'ما', 'من', 'او', 'آنها', 'ایشان'],
];

/**
 * Lists frequent function words of Vietnamese. Each listed word has accents, because words without accents also occur
 * in other languages.
 */
export const VIETNAMESE_STOP_WORDS: readonly string[] = [
  ...['là', 'và', 'của', 'có', 'được', 'những', 'các', 'một', 'này', 'đó', 'để', 'không', 'người', 'đã', 'sẽ', 'đang'],
  ...[
    'ở',
    'từ',
    'về',
    'như',
    'thì',
    'mà',
    'cũng',
    'bởi',
    'vì',
    'nếu',
    'hoặc',
    'nào',
    'gì',
    'đâu',
    'nhiêu',
    'với',
    'vào',
  ],
  ...['đến', 'tại', 'trên', 'dưới', 'giữa', 'khác', 'nhiều', 'rất', 'hơn', 'nhất', 'lại', 'phải', 'bị', 'đều', 'vẫn'],
  ...['thể', 'việc', 'sự', 'cách', 'chỉ', 'còn', 'nhưng', 'sau', 'trước', 'nó', 'họ', 'chúng', 'tôi', 'bạn', 'thế'],
];
