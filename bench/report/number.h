/* SPDX-License-Identifier: GPL-2.0 */
/* Numbers from text and JSON, and sums of them, without silent wraps. */
#ifndef FWP_NUMBER_H
#define FWP_NUMBER_H

#include <jansson.h>
#include <stdbool.h>

/**
 * count_parse - read a count
 * @text: decimal digits and nothing else, at most 2^63 - 1 (what JSON holds)
 * @out: the count
 *
 * Return: true if @text was a count.
 */
bool count_parse(const char *text, json_int_t *out);

/**
 * real_parse - read a finite number
 * @text: a decimal number and nothing else: no hexadecimal, NaN or infinity
 * @out: the number
 *
 * Return: true if @text was a finite number.
 */
bool real_parse(const char *text, double *out);

/**
 * count_add - add to a sum
 * @sum: the sum, unchanged on failure
 * @n: what to add
 *
 * Return: true unless the sum would not fit.
 */
bool count_add(json_int_t *sum, json_int_t n);

/**
 * json_count - take a count that is not negative out of an object
 * @obj: the object, or NULL
 * @key: its key
 * @out: the count
 *
 * Return: true if there was one.
 */
bool json_count(const json_t *obj, const char *key, json_int_t *out);

/**
 * json_amount - take a number that is not negative out of an object
 * @obj: the object, or NULL
 * @key: its key, integer or real
 * @out: the number
 *
 * Return: true if there was one.
 */
bool json_amount(const json_t *obj, const char *key, double *out);

#endif
