// SPDX-License-Identifier: GPL-2.0
#include <string.h>

#include "plots.h"

int plot_families(struct plots *plots, const struct outcome *o,
		  struct why *why)
{
	/* What the sizes are, the workload's name says. */
	const bool strides = strstr(outcome_string(o->run, "workload"),
				    "stride");
	size_t i, nr;
	struct family *all = families_find(o, &nr);
	int ret = 0;

	for (i = 0; !ret && i < nr; i++) {
		const struct family *predicted;

		if (family_is_predicted(&all[i]))
			continue;
		predicted = family_prediction(all, nr, &all[i]);
		if (strides)
			ret = plot_strides(plots, o, &all[i], predicted, why);
		else
			ret = plot_sizes(plots, o, &all[i], predicted, why);
	}
	families_free(all, nr);
	return ret;
}
