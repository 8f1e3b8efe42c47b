select
    account || '/' || id || '/' || version as contract_key,
    account,
    id as contract_id,
    version,
    status,
    kind,
    listing_id,
    city,
    unit_label,
    template_id,
    created_at,
    updated_at,
    valid_from,
    valid_to,
    valid_to is null as is_current
from {{ source('deedkit', 'contract_versions') }}
