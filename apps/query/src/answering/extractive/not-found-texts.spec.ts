import { describe, expect, it } from 'vitest';
import { getNotFoundAnswer } from './not-found-texts.js';

describe('getNotFoundAnswer', () => {
  it.each([
    ['How long is the warranty of this camera?', /^I don’t know/],
    ['Wie lange gilt die Garantie für die Kamera?', /^Das weiß ich nicht/],
    ['¿Cuánto dura la garantía de los productos?', /^No lo sé/],
    ['保修期是多久？', /^我不知道/],
    ['Ποια είναι η εγγύηση της κάμερας;', /^Δεν ξέρω/],
    ['εγγύηση', /^Δεν ξέρω/],
    ['ما هو ضمان هذه الكاميرا؟', /^لا أعرف/],
    ['گارانتی دوربین چقدر است؟', /^نمی/],
    ['इस कैमरे की वारंटी कितनी है?', /^मुझे नहीं पता/],
    ['Thời hạn bảo hành của máy ảnh là bao lâu?', /^Tôi không biết/],
    ['Bu kameranın garantisi ne kadar ve nasıl kullanılır?', /^Bilmiyorum/],
    ['Care este garanția pentru această cameră?', /^Nu știu/],
    ['การรับประกันนานเท่าไร', /^ฉันไม่ทราบ/],
    ['Comment supprimer un agent ?', /^Je ne sais pas/],
    ['Pourquoi échoue-t-il ?', /^Je ne sais pas/],
    ['Miten poistan agentin?', /^En tiedä/],
    ['Как удалить агента?', /^Я не знаю/],
    ['Сколько стоит?', /^Я не знаю/],
    ['Как да изтрия агент?', /^Не знам/],
    ['Comment on the agent', /^I don’t know/],
    ['Яка гарантія?', /^I don’t know/],
    ['Хто її робить?', /^I don’t know/],
    ['ERR-42', /^I don’t know/],
    ['x', /^I don’t know/],
    ['x y?', /^I don’t know/],
    ['ok', /^I don’t know/],
    ['a b c d', /^I don’t know/],
    ['保修', /^我不知道/],
    ['toString constructor', /^I don’t know/],
  ])('getNotFoundAnswer answers in the language of the question %j', (query, expected) => {
    expect(getNotFoundAnswer(query)).toMatch(expected);
  });

  it.each([
    ['Russian letters before a Ukrainian letter', `${'ы'.repeat(500_000)}і`],
    ['a long Vietnamese word before many spaces', `${'ơ'.repeat(500_000)}${' '.repeat(500_000)}life`],
    ['many Roman numerals before a Cyrillic letter', `${'Ⅷ\u0301'.repeat(500_000)}я`],
  ])('getNotFoundAnswer answers a question with %s in linear time', (_, query) => {
    expect(getNotFoundAnswer(query)).toMatch(/^I don’t know/);
  });
});
